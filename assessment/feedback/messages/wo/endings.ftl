# Why a session is over.
end-finished = Jeexal nga quiz bi.
end-time = Waxtu wi jeex na. Say tontu dinañu leen limaale.
end-expired = Waxtu wi jeex na. Say tontu dinañu leen limaale.
end-max-items = Loolu mooy laaj bi mujj ci test bi.
end-standard-error = Say tontu doy nañu ngir am natt bu wóor.
end-no-useful-item = Amul beneen laaj bu mëna yokk dara ci li ñu xam ci yaw.
end-bank-exhausted = Amatul laaj yu jekk. Say tontu dinañu leen limaale.
end-bank-empty = Amagul laaj fii.
end-passed = Say tontu doy nañu ngir dogal: jàll nga.
end-not-passed = Say tontu doy nañu ngir dogal: jàlluloo bii yoon.
