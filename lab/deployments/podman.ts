import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { requirePackages } from '../../server/launch/debian.mjs';
import { debianRoot } from './debian-root.ts';
import type { OwnNetwork } from './own-network.ts';
import { runProgram } from './run-program.ts';

/** Kept between runs: images, and the layers of earlier builds. */
const STORAGE = join(tmpdir(), 'perpetua-deployments', 'containers');
const BASE = 'localhost/perpetua-debian';
export const NODE_IMAGE = 'docker.io/library/node:22-bookworm-slim';

/**
 * What deploy/ uses of each published image, on the Debian of {@link debianRoot}, by its published name. The programs are
 * Debian's and the Node of this machine, whatever the tag says.
 */
const IMAGES: Readonly<Record<string, string>> = {
  [NODE_IMAGE]: `
RUN mkdir -p /usr/local/lib/node_modules && mv /usr/bin/node /usr/local/bin/ \\
  && mv /usr/lib/node_modules/npm /usr/local/lib/node_modules/ && mv /usr/bin/npm /usr/bin/npx /usr/local/bin/
CMD ["node"]`,
  // The first user of the published image, its folders, and of its entry point the creation of the database.
  'docker.io/library/postgres:18': `
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 PGDATA=/var/lib/postgresql/18/docker
RUN groupmod -o -g 999 postgres && usermod -o -u 999 postgres && rm -rf /var/lib/postgresql /etc/postgresql \\
  && install -d -o postgres -g postgres -m 1777 /var/lib/postgresql && install -d -o postgres -g postgres -m 3777 /run/postgresql \\
  && sed -i "s/^#listen_addresses = .*/listen_addresses = '*'/" /usr/share/postgresql/15/postgresql.conf.sample
COPY --chmod=755 create-database.sh /usr/local/bin/docker-entrypoint.sh
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
EXPOSE 5432
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]`,
  // The published image is compiled without the protected mode, so that other containers can connect.
  'docker.io/library/redis:8': `
RUN groupmod -o -g 999 redis && usermod -o -u 999 redis && install -d -o redis -g redis /data
COPY --chmod=755 start-redis.sh /usr/local/bin/docker-entrypoint.sh
VOLUME /data
WORKDIR /data
EXPOSE 6379
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["redis-server"]`,
  'docker.io/prom/prometheus:v3.5.0': `
RUN install -d -o nobody -g nogroup /prometheus
USER nobody
VOLUME /prometheus
WORKDIR /prometheus
EXPOSE 9090
ENTRYPOINT ["/bin/prometheus"]`,
};

const SCRIPTS: Readonly<Record<string, string>> = {
  'create-database.sh': `#!/bin/bash
set -euo pipefail
mkdir -p "$PGDATA"
chmod 0700 "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  export POSTGRES_USER=postgres
  initdb --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE"
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
  createdb --username=postgres "$POSTGRES_DB"
  for file in /docker-entrypoint-initdb.d/*.sh; do . "$file"; done
  pg_ctl -D "$PGDATA" -m fast -w stop
fi
exec "$@"
`,
  'start-redis.sh': '#!/bin/sh\nexec "$@" --protected-mode no\n',
};

/** Podman in a network, with a storage and settings of its own. */
export interface Podman {
  /** Runs commands with bash until one fails. Returns their output. */
  run(commands: string, options?: RunOptions): Promise<string>;
  /** Kills the first process of a container, and waits until podman has started it again. */
  kill(container: string): Promise<void>;
  /** Removes every container, volume, secret and network. Images stay for the next run. */
  clear(): Promise<void>;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Podman without containers, whose storage has every image of {@link IMAGES}. */
export async function startPodman({ enter }: OwnNetwork): Promise<Podman> {
  requirePackages('podman', 'runc', 'iptables', 'netavark', 'aardvark-dns');
  const settings = writeSettings();
  const [program = '', ...args] = enter;
  const run: Podman['run'] = (commands, { cwd, env } = {}) =>
    runProgram(program, [...args, 'bash', '--norc', '-euo', 'pipefail', '-c', commands], {
      cwd,
      env: { ...process.env, ...settings, ...env },
    });
  const firstProcess = async (container: string) =>
    Number(await run(`podman inspect --format '{{.State.Pid}}' ${container}`));
  const podman: Podman = {
    run,
    async kill(container) {
      const killed = await firstProcess(container);
      await run(`kill -9 ${killed}`);
      const isAnother = (pid: number) => pid > 0 && pid !== killed;
      await expect.poll(() => firstProcess(container), { interval: 100 }).toSatisfy(isAnother);
    },
    async clear() {
      const kinds = [
        'rm --all --force --time 0',
        'volume rm --all --force',
        'secret rm --all',
        'network prune --force',
      ];
      await run(kinds.map((kind) => `podman ${kind}`).join('\n'));
    },
  };
  await podman.clear();
  await makeImages(run);
  return podman;
}

/** Returns the variables that name the files. */
function writeSettings(): Readonly<Record<string, string>> {
  mkdirSync(STORAGE, { recursive: true });
  const [storage, settings] = [join(STORAGE, 'storage.conf'), join(STORAGE, 'containers.conf')];
  const folders = `graphroot = "${join(STORAGE, 'graph')}"\nrunroot = "${join(STORAGE, 'run')}"\n`;
  writeFileSync(storage, `[storage]\ndriver = "overlay"\n${folders}`);
  // Without systemd on this machine.
  const engine = '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\nruntime = "runc"\n';
  const networks = `[network]\nnetwork_backend = "netavark"\nnetwork_config_dir = "${join(STORAGE, 'networks')}"\n`;
  // Without CAP_SYS_RESOURCE podman cannot raise the limits, as it does by default.
  const limits = 'default_ulimits = ["nofile=16384:16384", "nproc=4096:4096"]\n';
  writeFileSync(settings, `${engine}${networks}[containers]\n${limits}`);
  return { CONTAINERS_STORAGE_CONF: storage, CONTAINERS_CONF: settings };
}

async function makeImages(run: Podman['run']): Promise<void> {
  const root = await debianRoot();
  const made = (await run(`podman images --format '{{.Repository}} {{.Labels}}'`)).split('\n');
  if (!made.some((line) => line.startsWith(BASE) && line.includes(root))) {
    await run(`tar -C ${root} -c . | podman import --change 'LABEL root=${root}' - ${BASE}`);
  }
  const context = join(STORAGE, 'context');
  mkdirSync(context, { recursive: true });
  for (const [name, text] of Object.entries(SCRIPTS)) writeFileSync(join(context, name), text);
  for (const [name, lines] of Object.entries(IMAGES)) {
    writeFileSync(join(context, 'Containerfile'), `FROM ${BASE}${lines}\n`);
    await run(`podman build -t ${name} ${context}`);
  }
}
