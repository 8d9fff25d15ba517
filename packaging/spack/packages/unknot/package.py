import os

from spack.package import *

try:
    from spack_repo.builtin.build_systems.generic import Package
except ImportError:
    pass  # before Spack 1.0, spack.package has it


class Unknot(Package):
    """unknot finds errors in MPI, OpenSHMEM and UPC programs while they run:
    deadlocks, wrong uses of MPI, and errors that other schedules would show."""

    # The archive of the sources is not published: it is looked for in the
    # working directory and in mirrors. make packages makes it, with this recipe.
    manual_download = True
    url = f"file://{os.getcwd()}/unknot-@VERSION@.tar.gz"

    version("@VERSION@", sha256="@SHA256@")

    depends_on("go@1.26:", type="build")
    depends_on("gmake", type="build")
    depends_on("gzip", type="build")

    def url_for_version(self, version):
        return f"file://{os.getcwd()}/unknot-{version}.tar.gz"

    def setup_build_environment(self, env):
        # What Go downloads and compiles goes away with the stage.
        env.set("GOPATH", join_path(self.stage.path, "go"))
        env.set("GOCACHE", join_path(self.stage.path, "go-cache"))
        env.set("GOFLAGS", "-modcacherw")

    def install(self, spec, prefix):
        make("install", f"PREFIX={prefix}", f"VERSION={self.version}")
