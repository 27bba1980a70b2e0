import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FuzzReport } from './fuzz-report.ts';
import type { Tally } from './tally.ts';
import type { SetUp } from './world.ts';

interface Checked {
  readonly url: string;
  readonly root: string;
  readonly dataDir: string;
}

const PAGE = 1_000;
const POSTED_MS = 120_000;
const BLOCKS_TO_FINAL = 20;
/** `npm run verify` reports recoveries without confirmed guardians, which the requests make, with 3. */
const CLEAN = [0, 3];

/** The ledger has every entry that a response reported, and no other that no request explains; and it verifies. */
export async function checkLedger(service: Checked, setUp: SetUp, tally: Tally): Promise<FuzzReport['entries']> {
  const at = { route: 'ledger', index: 0 };
  const inLedger = new Set(await entryIds(service.url));
  const reported = new Set([...setUp.accepted, ...tally.accepted]);
  const lost = [...reported].filter((id) => !inLedger.has(id));
  if (lost.length > 0) tally.fail(`${lost.length} reported entries are not in the ledger, such as ${lost[0]}`, at);
  const surplus = [...inLedger].filter((id) => !reported.has(id));
  if (surplus.length > tally.withoutResponse()) {
    const [first = ''] = surplus;
    const entry = await fetch(`${service.url}/api/transactions/${first}`).then((response) => response.text());
    tally.fail(
      `${surplus.length} entries of the ledger were in no response, but only ${tally.withoutResponse()} had none: ${entry}`,
      at,
    );
  }
  await settle(service.url);
  const { code, output } = await verify(service);
  if (!CLEAN.includes(code)) tally.fail(`npm run verify ended with ${code}: ${output.slice(-2_000)}`, at);
  return { reported: reported.size, inLedger: inLedger.size, withoutResponse: tally.withoutResponse() };
}

async function entryIds(url: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = 0; ; after += PAGE) {
    const headers = { 'x-forwarded-for': `10.201.0.${(after / PAGE) % 256}` };
    const response = await fetch(`${url}/api/ledger/entries?after=${after}&limit=${PAGE}`, { headers });
    const lines = (await response.text()).split('\n').filter((line) => line !== '');
    ids.push(...lines.map((line) => (JSON.parse(line) as { id: string }).id));
    if (lines.length < PAGE) return ids;
  }
}

/** Waits until everything is posted, and mines what verify expects to be mined. */
async function settle(url: string): Promise<void> {
  const deadline = Date.now() + POSTED_MS;
  const waiting = async () => {
    const { backlog } = (await (await fetch(`${url}/ready`)).json()) as { backlog: { entries: number | null } };
    return backlog.entries !== 0;
  };
  while ((await waiting()) && Date.now() < deadline) await sleep(200);
  const { network } = (await (await fetch(`${url}/api/ledger`)).json()) as { network: { gateway_url: string } };
  await fetch(new URL(`/mine/${BLOCKS_TO_FINAL}`, network.gateway_url), { method: 'POST' });
}

async function verify({ root, dataDir }: Checked): Promise<{ readonly code: number; readonly output: string }> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(root, 'server', 'launch', 'run.mjs'), 'verify'], {
    cwd: root,
    env: { NODE_ENV: 'production', PATH, HOME, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { code, output: out + errors };
}
