import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandParts } from '../auditor/audit/verify.ts';
import { isConnectionLoss } from '../server/platform/db/pool.ts';
import { accepted, expectAllFinal, expectOnceOnNetwork } from '../server/testing/test-load.ts';
import { startTestService, type TestService } from '../server/testing/test-service.ts';
import { pause, resume } from './posting/switch-posting.ts';
import { dataDirectory } from './test-data-directory.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Runs a command in this process. @returns what it prints */
async function run(command: (parts: CommandParts) => Promise<void>, databaseUrl = service.databaseUrl) {
  const lines: string[] = [];
  const steps: (() => Promise<unknown>)[] = [];
  const parts: CommandParts = {
    env: { DATABASE_URL: databaseUrl, DATA_DIR: dataDirectory() },
    print: (line: string) => void lines.push(line),
    note: () => undefined,
    progress: { at: () => undefined, end: () => undefined },
    addStep: (_: string, step: () => Promise<unknown>) => void steps.push(step),
  };
  try {
    await command(parts);
  } finally {
    for (const step of steps.reverse()) await step();
  }
  return lines;
}

const ready = async () => (await service.get('/ready')).body;

test('pauses and resumes posting; /ready and the metrics show it, and everything is posted once', async () => {
  await accepted(service, 1);
  await expectAllFinal(service);
  expect(await run(pause)).toEqual([
    expect.stringMatching(/^Posting is paused since 20\S+Z\.$/),
    'No operation waits. What is accepted now waits until "npm run resume".',
  ]);
  const before = (await service.get('/api/ledger')).body.entries_final;
  await accepted(service, 4);
  await expect.poll(async () => (await ready()).backlog.entries).toBe(4);
  expect(await ready()).toMatchObject({
    status: 'degraded',
    backlog: { ok: false, problem: expect.stringMatching(/^An operator has paused posting since 20.+npm run resume"/) },
  });
  await expect.poll(async () => (await service.get('/metrics')).body).toContain('\nperpetua_posting_paused 1\n');
  const [again, waiting] = await run(pause);
  expect(again).toMatch(/^Posting was paused already, since 20/);
  const due = /^4 operations wait until "npm run resume"\. The oldest must be in a block by (\S+);/.exec(
    waiting ?? '',
  )?.[1];
  expect(Date.parse(due ?? '')).toBeGreaterThan(Date.now() + 86_000_000);
  expect((await service.get('/api/ledger')).body.entries_final).toBe(before);

  expect(await run(resume)).toEqual([expect.stringMatching(/^Posting continues\. It was paused since 20/)]);
  expect(await run(resume)).toEqual(['Posting was not paused.']);
  await expectAllFinal(service);
  await expectOnceOnNetwork(service);
});

test('fails if the database does not answer', async () => {
  const nobody = new URL(service.databaseUrl);
  nobody.port = '1';
  await expect(run(pause, nobody.href)).rejects.toSatisfy(isConnectionLoss);
  expect((await ready()).backlog.ok).toBe(true);
});
