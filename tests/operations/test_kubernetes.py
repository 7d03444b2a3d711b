"""deploy/kubernetes: valid for the cluster, and in agreement with the service, the image and the alerts."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import kubernetes_validate
import pytest
import yaml

from service.__main__ import main
from service.pipeline.batching.planning import default_budget
from service.settings import Settings
from tests.operations.support import ROOT, documents, variables
from tests.service.processes import free_port, started
from tests.service.support import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.service.processes import Running

KUBERNETES = ROOT / "deploy" / "kubernetes"
BASE = KUBERNETES / "base"
COMPONENTS = KUBERNETES / "components"
OVERLAYS = ("cpu", "gpu")
FOLDERS = sorted(path.parent.relative_to(KUBERNETES) for path in KUBERNETES.rglob("kustomization.yaml"))
RELEASES = ("1.30", kubernetes_validate.latest_version())
"""The oldest and newest Kubernetes that the manifests are held against."""

CUSTOM = {"monitoring.coreos.com/v1", "keda.sh/v1alpha1"}
"""Kinds that operators add to a cluster: Kubernetes itself has no schema of them."""


@pytest.fixture(scope="module")
def deployment() -> dict[str, Any]:
    """The Deployment of the base."""
    return only(BASE / "deployment.yaml")


@pytest.fixture(scope="module")
def container(deployment: dict[str, Any]) -> dict[str, Any]:
    """Its one container."""
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert isinstance(container, dict)
    return container


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder that nobody has written into."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def replica(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The service as a process with the environment of the pod; canaries and all."""
    environment = effective("cpu") | {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    log = tmp_path_factory.mktemp("log") / "log"
    with started(BUNDLE, log, environment=environment, threads=0, verify_bundle=True, canary_on_start=True) as replica:
        yield replica.ready()


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("path", sorted(BASE.glob("[!k]*.yaml")), ids=lambda path: path.stem)
def test_resources_fit_the_schemas_of_kubernetes(path: Path, release: str) -> None:
    """Each resource of the base is valid by itself, without a field that Kubernetes does not know."""
    kubernetes_validate.validate(only(path), release, strict=True)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_overlays_build(overlay: str) -> None:
    """Kustomize builds the overlay; every resource in it is valid, and KEDA alone says how many replicas there are."""
    built = {resource["kind"]: resource for resource in build(overlay)}
    assert set(built) == {
        "Deployment",
        "NetworkPolicy",
        "PodDisruptionBudget",
        "PrometheusRule",
        "ScaledObject",
        "Service",
        "ServiceMonitor",
    }
    for resource in built.values():
        if resource["apiVersion"] not in CUSTOM:
            kubernetes_validate.validate(resource, RELEASES[-1], strict=True)
    assert "replicas" not in built["Deployment"]["spec"]
    (container,) = built["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["image"] == f"reder:{overlay}"
    assert variables(container) == effective(overlay)


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_kustomizations_name_what_is_there(folder: Path) -> None:
    """Every file and folder that a kustomization lists exists, and every file beside it is listed."""
    (kustomization,) = documents(KUBERNETES / folder / "kustomization.yaml")
    patches = [patch["path"] for patch in kustomization.get("patches", []) if "path" in patch]
    listed = [*kustomization.get("resources", []), *kustomization.get("components", []), *patches]
    assert [name for name in listed if not (KUBERNETES / folder / name).exists()] == []
    beside = {path.name for path in (KUBERNETES / folder).glob("*.yaml")} - {"kustomization.yaml"}
    assert beside == {name for name in listed if name.endswith(".yaml")}


def test_the_probes_paths_answer(replica: Running, container: dict[str, Any]) -> None:
    """With the pod's environment, every path that is probed is in the OpenAPI document and answers 200."""
    known = replica.get("/openapi.json").json()["paths"]
    probes = {name: probe["httpGet"] for name, probe in container.items() if name.endswith("Probe")}
    assert {name: probe["path"] for name, probe in probes.items()} == {
        "startupProbe": "/healthz",
        "livenessProbe": "/healthz",
        "readinessProbe": "/readyz",
    }
    for probe in probes.values():
        assert probe["path"] in known
        assert replica.get(probe["path"]).status_code == 200


def test_the_health_check_of_the_image_asks_for_readiness(replica: Running) -> None:
    """Docker's own check, as the Dockerfile has it: passes where a replica is ready, fails where nobody listens."""
    dockerfile = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8")
    (found,) = re.findall(r"^HEALTHCHECK .*\\\n\s+CMD (\[.*\])$", dockerfile, flags=re.MULTILINE)
    _, *arguments = json.loads(found)

    def check(port: int) -> int:
        environment = {"REDER_PORT": str(port), "http_proxy": "http://127.0.0.1:9"}
        return subprocess.run(
            [sys.executable, *arguments], env=environment, stderr=subprocess.DEVNULL, check=False, timeout=60
        ).returncode

    assert check(replica.port) == 0
    assert check(free_port()) == 1


def test_prometheus_and_keda_find_their_metrics(replica: Running) -> None:
    """The path that is scraped serves the gauges that are scaled by."""
    (endpoint,) = only(COMPONENTS / "monitoring" / "servicemonitor.yaml")["spec"]["endpoints"]
    (trigger,) = only(COMPONENTS / "autoscaling" / "scaledobject.yaml")["spec"]["triggers"]
    exposition = replica.get(endpoint["path"]).text
    metrics = re.findall(r"reder_\w+", trigger["metadata"]["query"])
    assert metrics
    assert [metric for metric in metrics if f"# TYPE {metric} gauge\n" not in exposition] == []


def test_nothing_is_written_to_the_home_folder(replica: Running, home: Path) -> None:
    """The file system is read-only in the pod: neither start nor a translation writes, no library's reports either."""
    with replica.client() as client:
        assert client.post("/translate?dir=en-de", json={"text": "A dog runs."}).status_code == 200
    assert list(home.rglob("*")) == []


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_variables_are_settings(overlay: str) -> None:
    """Every variable of the pod is a setting of the service, and together they are valid."""
    settings = settings_of(overlay)
    assert settings.provider == {"cpu": "cpu", "gpu": "cuda"}[overlay]
    assert settings.threads == int(limits(overlay)["cpu"])


def test_the_gpu_is_set_as_in_compose() -> None:
    """The GPU overlay sets what the GPU profile of docker-compose.yml sets, and no more than the base adds."""
    compose = only(ROOT / "docker-compose.yml")["services"]["reder-gpu"]["environment"]
    ours = effective("gpu")
    assert {name: ours[name] for name in compose} == compose
    assert ours.keys() - compose.keys() == {"REDER_THREADS", "REDER_DRAIN_DELAY_S"}


def test_the_pod_is_given_time_to_drain(deployment: dict[str, Any]) -> None:
    """Kubernetes kills only after the delay and the longest drain, with some time left."""
    settings = Settings(drain_delay_s=float(effective("cpu")["REDER_DRAIN_DELAY_S"]))
    longest = settings.drain_delay_s + settings.drain_timeout_s
    assert deployment["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] > longest + 10
    assert settings.drain_delay_s >= 5, "the endpoints of a Service do not change faster"


def test_service_links_are_off(
    deployment: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They would set REDER_PORT=tcp://…; where one leaves them on, the service says what to do, in one line."""
    assert deployment["spec"]["template"]["spec"]["enableServiceLinks"] is False
    assert only(BASE / "service.yaml")["metadata"]["name"] == "reder"
    monkeypatch.setenv("REDER_PORT", "tcp://10.0.0.1:80")
    assert main() == 2
    assert re.fullmatch(r"reder: cannot start: .*enableServiceLinks: false.*\n", capsys.readouterr().err)


def test_labels_and_ports_agree(deployment: dict[str, Any], container: dict[str, Any]) -> None:
    """Whatever selects the pods selects them, and every port is the container's one, by name."""
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    service = only(BASE / "service.yaml")
    monitor = only(COMPONENTS / "monitoring" / "servicemonitor.yaml")["spec"]
    policy = only(BASE / "networkpolicy.yaml")["spec"]
    (spread,) = deployment["spec"]["template"]["spec"]["topologySpreadConstraints"]
    for selected in (
        deployment["spec"]["selector"]["matchLabels"],
        service["spec"]["selector"],
        policy["podSelector"]["matchLabels"],
        only(BASE / "poddisruptionbudget.yaml")["spec"]["selector"]["matchLabels"],
        spread["labelSelector"]["matchLabels"],
    ):
        assert selected == labels
    assert monitor["selector"]["matchLabels"] == service["metadata"]["labels"]
    assert service["metadata"]["labels"][monitor["jobLabel"]] == "reder"

    (port,) = container["ports"]
    (published,) = service["spec"]["ports"]
    (ingress,) = policy["ingress"]
    assert port["containerPort"] == Settings.model_fields["port"].default
    assert published["targetPort"] == port["name"]
    assert [endpoint["port"] for endpoint in monitor["endpoints"]] == [published["name"]]
    assert [allowed["port"] for allowed in ingress["ports"]] == [port["name"]]
    assert {probe["httpGet"]["port"] for name, probe in container.items() if name.endswith("Probe")} == {port["name"]}


def test_the_pod_has_no_rights(deployment: dict[str, Any], container: dict[str, Any]) -> None:
    """The image's user, never root; nothing to write to but /tmp; no capability, no token, no way out."""
    pod = deployment["spec"]["template"]["spec"]
    dockerfile = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8")
    (user,) = re.findall(r"^USER (\d+):(\d+)$", dockerfile, flags=re.MULTILINE)
    assert pod["securityContext"] == {
        "runAsNonRoot": True,
        "runAsUser": int(user[0]),
        "runAsGroup": int(user[1]),
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod["automountServiceAccountToken"] is False
    assert [mount["mountPath"] for mount in container["volumeMounts"]] == ["/tmp"]  # noqa: S108 - in the container
    policy = only(BASE / "networkpolicy.yaml")["spec"]
    assert (policy["policyTypes"], policy["egress"]) == (["Ingress", "Egress"], [])


def test_keda_scales_what_is_deployed(deployment: dict[str, Any]) -> None:
    """The ScaledObject scales the Deployment, from as many replicas as that has, keeping a budget to evict one."""
    scaled = only(COMPONENTS / "autoscaling" / "scaledobject.yaml")["spec"]
    (trigger,) = scaled["triggers"]
    assert scaled["scaleTargetRef"] == {
        "apiVersion": deployment["apiVersion"],
        "kind": deployment["kind"],
        "name": deployment["metadata"]["name"],
    }
    assert scaled["minReplicaCount"] == scaled["fallback"]["replicas"] == deployment["spec"]["replicas"]
    assert scaled["minReplicaCount"] > only(BASE / "poddisruptionbudget.yaml")["spec"]["maxUnavailable"]
    assert all(isinstance(value, str) for value in trigger["metadata"].values()), "KEDA reads strings only"


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_replicas_are_added_when_each_core_has_much_to_do(overlay: str) -> None:
    """1024 tokens wait for each core, or two full batches for a GPU: at most half of what the queue takes."""
    threshold = int(
        only(COMPONENTS / "autoscaling" / "scaledobject.yaml")["spec"]["triggers"][0]["metadata"]["threshold"]
    )
    for patch in only(KUBERNETES / "overlays" / overlay / "kustomization.yaml")["patches"]:
        if patch.get("target", {}).get("kind") == "ScaledObject":
            (change,) = yaml.safe_load(patch["patch"])
            assert change["path"] == "/spec/triggers/0/metadata/threshold"
            threshold = int(change["value"])
    settings = settings_of(overlay)
    on_cpu = settings.provider == "cpu"
    assert threshold == (1024 * settings.threads if on_cpu else 2 * default_budget(settings.provider).tokens)
    assert threshold <= settings.queue_tokens / 2


def test_alerts_are_those_of_prometheus() -> None:
    """The PrometheusRule holds the groups of deploy/prometheus/alerts.yml, no more and no fewer: `make docs` copies."""
    rule = only(COMPONENTS / "monitoring" / "prometheusrule.yaml")
    assert rule["spec"] == only(ROOT / "deploy" / "prometheus" / "alerts.yml")
    assert rule["spec"]["groups"]


def only(path: Path) -> dict[str, Any]:
    """The one document of a YAML file."""
    (document,) = documents(path)
    return document


def effective(overlay: str) -> dict[str, str]:
    """The environment of the pod: the base's, and what the overlay sets."""
    base, patch = containers(overlay)
    return variables(base | {"resources": {"limits": limits(overlay)}}) | variables(patch)


def settings_of(overlay: str) -> Settings:
    """What the service makes of that environment; fails on a variable that is no setting."""
    return Settings.model_validate(
        {name.removeprefix("REDER_").lower(): value for name, value in effective(overlay).items()}
    )


def limits(overlay: str) -> dict[str, str]:
    """The limits of the pod: the base's, but for what the overlay sets."""
    base, patch = containers(overlay)
    found: dict[str, str] = base["resources"]["limits"] | patch.get("resources", {}).get("limits", {})
    return found


def containers(overlay: str) -> list[dict[str, Any]]:
    """The container as the base describes it, and what the overlay changes."""
    files = (BASE / "deployment.yaml", KUBERNETES / "overlays" / overlay / "deployment.yaml")
    return [only(file)["spec"]["template"]["spec"]["containers"][0] for file in files]


def build(overlay: str) -> list[dict[str, Any]]:
    """What kustomize makes of an overlay. Reads files only: no cluster is asked."""
    folder = KUBERNETES / "overlays" / overlay
    if kustomize := shutil.which("kustomize"):
        command = [kustomize, "build", str(folder)]
    elif kubectl := shutil.which("kubectl"):
        command = [kubectl, "kustomize", str(folder)]
    else:
        pytest.skip("neither kustomize nor kubectl is installed")
    run = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=60)
    return list(yaml.safe_load_all(run.stdout))
