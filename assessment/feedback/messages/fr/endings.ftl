# Why a session is over.
end-finished = Vous avez terminé le quiz.
end-time = Le temps est écoulé. Vos réponses comptent.
end-expired = Le temps est écoulé. Vos réponses comptent.
end-max-items = C'était la dernière question de ce test.
end-standard-error = Vos réponses suffisent pour une estimation fiable.
end-no-useful-item = Aucune autre question n'en dirait plus sur ce que vous savez.
end-bank-exhausted = Il n'y a plus de question adaptée. Vos réponses comptent.
end-bank-empty = Il n'y a pas encore de question ici.
end-passed = Vos réponses suffisent pour décider : vous avez réussi.
end-not-passed = Vos réponses suffisent pour décider : vous n'avez pas réussi cette fois.
