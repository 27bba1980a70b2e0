import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { setPageStatus, withPageStatus } from './page-status.ts';

const answer = () => new ServerResponse(new IncomingMessage(new Socket()));

test('pages rendered at the same time each set the status of their own response', async () => {
  const [gone, unknown, plain] = [answer(), answer(), answer()];
  const render = (status: number) => async () => {
    await sleep(5);
    setPageStatus(status);
  };
  await Promise.all([
    withPageStatus(gone, render(410)),
    withPageStatus(unknown, render(404)),
    withPageStatus(plain, () => sleep(10)),
  ]);
  expect([gone, unknown, plain].map(({ statusCode }) => statusCode)).toEqual([410, 404, 200]);
});

test('a status set outside a page has no effect', () => {
  expect(() => setPageStatus(410)).not.toThrow();
});
