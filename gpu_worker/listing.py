"""What the laboratory has, as text: experiments, their claims, parameters and ranges."""

import json

from gpu_worker.catalog import EXPERIMENTS, Experiment, Parameter, Value


def list_experiments(*, prints_json: bool) -> None:
    if prints_json:
        names = {
            one.name: {
                "version": one.version,
                "claims": list(one.claims),
                "parameters": {each.name: each.default for each in one.parameters},
            }
            for one in EXPERIMENTS.values()
        }
        print(json.dumps(names, indent=1))
        return
    for one in EXPERIMENTS.values():
        print_experiment(one)


def print_experiment(experiment: Experiment) -> None:
    print(f"{experiment.name:<18} {', '.join(experiment.claims)}")
    for each in experiment.parameters:
        print(f"{'':<20}--{each.name.replace('_', '-'):<16} {describe_parameter(each)}")


def describe_parameter(parameter: Parameter) -> str:
    """Default, range, and where it goes further: on a card, or simulated."""
    text = write_value(parameter.default) or "-"
    if parameter.choices:
        return f"{text} ({', '.join(parameter.choices)})"
    further = ""
    if parameter.large_maximum is not None:
        further += f"; to {parameter.large_maximum:g} on a card or simulated"
    if parameter.large is not None:
        further += f"; --large: {write_value(parameter.large)}"
    return f"{text} ({parameter.minimum:g} to {parameter.maximum:g}{further})"


def write_value(value: Value) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def print_usage(experiment: Experiment) -> None:
    """How to call one experiment."""
    start = f"usage: lab {experiment.name} "
    modes = " [--simulate]" if experiment.simulates else ""
    print(f"{start}[--PARAMETER VALUE ...] [--seed N] [--device {{cpu,cuda}}]")
    print(f"{'':<{len(start)}}[--large]{modes} [--json] [--out FILE]\n")
    print_experiment(experiment)
