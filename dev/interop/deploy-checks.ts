import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../prepare.mjs';
import { freePort } from '#server/testing/free-port.ts';
import { eventually, startProgram, type Program } from './programs.ts';
import { checksOf, must, skip } from './table.ts';

const check = checksOf('Deployment');
/** The highest allowed exposure, as `systemd-analyze security` rates it; 0 is the best, 10 the worst. */
const highestExposure = 1.5;
/** The seconds that `deploy/` allows for a stop; `STOP_DELAY` takes 5 s of it. */
const stopSeconds = 30;

/** Runs a program and returns its output; throws an error with the output when the program fails. */
function run(file: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: { ...process.env, BUILDAH_ISOLATION: 'chroot', NO_COLOR: '1' },
  });
  const output = `${stdout}${stderr}`.trim();
  must(status === 0, `${file} ended with ${status ?? String(error)}: ${output.slice(-1_500)}`);
  return output;
}

/**
 * The unit and the image of `deploy/`, run on a base of Debian's packages with the Node and npm of this machine:
 * no registry of images is needed.
 */
export async function checkDeployment(here: string): Promise<void> {
  if (process.getuid?.() !== 0) return check('all', () => skip('needs root'));
  const base = join(here, 'base.tar');
  // The `vfs` driver copies files, so that nothing is mounted when the run ends.
  const store = ['--storage-driver=vfs', `--root=${here}/store`, `--runroot=${here}/store-run`];
  const buildah = (...words: string[]) => run('buildah', [...store, ...words]);
  const from = (...words: string[]) =>
    buildah('from', ...words)
      .split('\n')
      .at(-1) ?? '';
  await check('mmdebstrap makes a base', () => makeBase(base));
  await check('buildah builds the image, on that base', () => {
    const container = from('scratch');
    buildah('add', '-q', container, base, '/');
    buildah('commit', '-q', '--rm', container, 'base');
    const bases = ['BUILD_BASE', 'BASE'].flatMap((name) => ['--build-arg', `${name}=localhost/base`]);
    const file = ['-f', join(root, 'deploy/Dockerfile'), '-t', 'portico', root];
    buildah('build', '--format', 'docker', '--pull-never', ...volumesOfNpm(here), ...bases, ...file);
  });
  const image = buildah('mount', from('--pull-never', 'localhost/portico'));
  const inspected = buildah('inspect', '--type', 'image', 'localhost/portico');
  await check('the image runs as user 1000 on a read-only root, and stops in time', () =>
    runImage(here, image, (JSON.parse(inspected) as { Docker: { config: ImageConfig } }).Docker.config),
  );
  await check('systemd reads the unit, starts it and stops it', () =>
    runUnit(here, base, join(image, 'opt/portico')),
  );
}

function makeBase(base: string): void {
  const npm = dirname(dirname(run('readlink', ['-f', run('which', ['npm'])])));
  const modules = '"$1/usr/local/lib/node_modules"';
  const addNode = `install -D ${process.execPath} "$1/usr/local/bin/node"`;
  const addNpm = `mkdir -p ${modules} && cp -r ${npm} ${modules}/npm && ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"`;
  const hooks = [addNode, addNpm].map((hook) => `--customize-hook=${hook}`);
  const packages = '--include=systemd,passwd,libstdc++6,ca-certificates';
  run('mmdebstrap', ['--quiet', '--variant=essential', packages, ...hooks, 'bookworm', base]);
}

/** Mounts this machine's npm settings for all users of the container, so that its build reaches the registry. */
function volumesOfNpm(here: string): string[] {
  const own = join(homedir(), '.npmrc');
  const authorities = process.env['NODE_EXTRA_CA_CERTS'] ?? '/etc/ssl/certs/ca-certificates.crt';
  const settings = join(here, 'npmrc');
  writeFileSync(settings, `${existsSync(own) ? readFileSync(own, 'utf8') : ''}\ncafile=${authorities}\n`);
  const mounts = [`${settings}:/usr/local/etc/npmrc:ro`, `${authorities}:${authorities}:ro`];
  return mounts.flatMap((mount) => ['--volume', mount]);
}

type ImageConfig = { User: string; Env: string[]; Entrypoint: string[]; StopSignal: string };

/** `buildah run` has no read-only root, so that systemd-nspawn runs the image that buildah has built. */
async function runImage(here: string, image: string, config: ImageConfig): Promise<string> {
  must(config.User === '1000:1000', `The image runs as ${config.User}.`);
  const data = join(here, 'data');
  run('install', ['-d', '-o', '1000', '-g', '1000', data]);
  const port = await freePort();
  const variables = [...config.Env, `PORT=${port}`, 'HOST=127.0.0.1'].map((each) => `--setenv=${each}`);
  const user = ['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups', '--no-new-privs'];
  const place = ['--read-only', '--tmpfs=/tmp:mode=1777', `--bind=${data}:/data`];
  const stop = `--kill-signal=${config.StopSignal}`;
  const program = startContainer(image, ...place, ...variables, stop, ...user, ...config.Entrypoint);
  await untilReady(port);
  const leader = leaderOf(program);
  run('nsenter', ['-a', '-t', leader, 'env', `PORT=${port}`, ...config.Entrypoint, 'health']);
  must(readFileSync(`/proc/${leader}/status`, 'utf8').includes('Uid:\t1000'), 'It runs as root.');
  const began = Date.now();
  const code = await program.stop(stopSeconds);
  must(code === 0, `The stop ended with ${code}: ${program.output().slice(-1_500)}`);
  return `stopped in ${((Date.now() - began) / 1000).toFixed(1)} s`;
}

async function runUnit(here: string, base: string, built: string): Promise<string> {
  const machine = join(here, 'machine');
  const unit = join(machine, 'etc/systemd/system/portico.service');
  const inside = (...words: string[]) => run('chroot', [machine, ...words]);
  mkdirSync(machine);
  run('tar', ['-C', machine, '-xf', base]);
  cpSync(built, join(machine, 'opt/portico'), { recursive: true });
  symlinkSync('/opt/portico/portico.mjs', join(machine, 'usr/local/bin/portico'));
  cpSync(join(root, 'deploy/portico.service'), unit);
  inside(...'useradd --system --home-dir /var/lib/portico --shell /usr/sbin/nologin portico'.split(' '));
  inside(...'install -d -m 0750 -g portico /etc/portico'.split(' '));
  const port = await freePort();
  const settings = `PUBLIC_URL=http://localhost:${port}\nPORT=${port}\nHOST=127.0.0.1\n`;
  writeFileSync(join(machine, 'etc/portico/portico.env'), settings);

  inside('systemd-analyze', 'verify', '/etc/systemd/system/portico.service');
  const words = run('systemd-analyze', ['security', '--offline=true', '--no-pager', unit]);
  const exposure = Number(/exposure level for portico.service: ([\d.]+)/.exec(words)?.[1]);
  must(exposure <= highestExposure, `The exposure is ${exposure}.`);

  inside('systemctl', 'enable', 'portico');
  const program = startContainer(machine, '--boot');
  await untilReady(port);
  const system = (...words: string[]) =>
    run('nsenter', ['-a', '-t', leaderOf(program), 'systemctl', ...words]);
  const began = Date.now();
  system('stop', 'portico');
  const result = system('show', '--property=Result', 'portico');
  must(result === 'Result=success', `The stop of the unit: ${result}`);
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  await program.stop(stopSeconds);
  return `exposure ${exposure}, stopped in ${seconds} s`;
}

/** Boots or runs a folder as a container on this machine's network, unknown to this machine's service manager. */
function startContainer(folder: string, ...args: string[]): Program {
  const apart = ['--quiet', '--register=no', '--keep-unit', '--console=pipe', '--directory', folder];
  return startProgram('systemd-nspawn', [...apart, ...args]);
}

/** The process id of the first process in the container. */
function leaderOf({ pid }: Program): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] ?? '';
}

async function untilReady(port: number): Promise<void> {
  const answers = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200;
  await eventually('It does not answer.', answers);
}
