"""Any legal bank with any answers, extremes included."""

from hypothesis import strategies as st

from assessment.psychometrics.items import ItemParameters, make_items


@st.composite
def legal_items(draw: st.DrawFn, *, min_size: int = 1, max_size: int = 12) -> ItemParameters:
    num_items = draw(st.integers(min_size, max_size))

    def draw_list(values: st.SearchStrategy[float]) -> list[float]:
        return draw(st.lists(values, min_size=num_items, max_size=num_items))

    a = draw_list(st.one_of(st.floats(0.3, 3), st.floats(1e-3, 10), st.sampled_from([1e-3, 10.0])))
    b = draw_list(st.one_of(st.floats(-4, 4), st.floats(-50, 50), st.sampled_from([-50.0, 50.0])))
    c = draw_list(st.one_of(st.just(0.0), st.floats(0, 0.5), st.floats(0, 0.98)))
    gaps = draw_list(st.one_of(st.just(1.0), st.floats(0.01, 1)))
    d = [low + max(1e-3, share * (1 - low)) for low, share in zip(c, gaps, strict=True)]
    return make_items(a, b, c=c, d=[min(1.0, high) for high in d])


@st.composite
def answered_items(
    draw: st.DrawFn, *, min_size: int = 1, max_size: int = 12
) -> tuple[ItemParameters, list[int]]:
    items = draw(legal_items(min_size=min_size, max_size=max_size))
    answers = draw(st.lists(st.integers(0, 1), min_size=len(items), max_size=len(items)))
    return items, answers
