"""A copy of the tree, in which things are changed, built and tested. Its
library is shared, so that a change costs one compilation and one link."""
import os
import shutil
import subprocess
import tempfile


class Tree:
    def __init__(self, root, name):
        """Copies what is in the current folder; what was built in the copy
        stays, times too."""
        self.path = os.path.abspath(os.path.join(root, name))
        os.makedirs(self.path, exist_ok=True)
        for entry in os.scandir(self.path):
            if not entry.name.startswith('build-'):
                shutil.rmtree(entry) if entry.is_dir() else os.remove(entry)
        shutil.copytree('.', self.path, dirs_exist_ok=True, symlinks=True,
                        ignore=shutil.ignore_patterns('build', 'build-*',
                                                      '.git'))
        npm = os.path.abspath('build-npm')
        link = os.path.join(self.path, 'build-npm')
        if os.path.isdir(npm) and not os.path.lexists(link):
            os.symlink(npm, link)

    def run(self, *command, **env):
        # A changed program may print any bytes.
        return subprocess.run(command, cwd=self.path, capture_output=True,
                              text=True, errors='replace',
                              env={**os.environ, **env})

    def make(self, build, *what):
        return self.run('make', '-s', f'-j{os.cpu_count()}', 'SHARED=1',
                        f'B={build}', *what).returncode == 0

    def jobs(self, build):
        """Lines for tests/run; '@' stands for the build folder."""
        text = self.run('tests/run', '--jobs', build).stdout
        return text.replace(os.path.join(self.path, build), '@').splitlines()

    def passes(self, build, jobs, **env):
        """Whether they all pass; the first that fails ends it."""
        with tempfile.NamedTemporaryFile('w', suffix='.jobs') as f:
            f.write('\n'.join(jobs).replace(
                '@/', os.path.join(self.path, build) + '/') + '\n')
            f.flush()
            text = self.run('tests/run', build, JOB_LIST=f.name, FAIL_FAST='1',
                            MUTATE='5', **env).stdout
        totals = text.splitlines()[-1:] or ['']
        return ' passed, 0 failed' in totals[0]
