import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { setPageStatus, withPageStatus } from './page-status.ts';

const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));

test('pages that are rendered concurrently set the status of their own responses', async () => {
  const [expired, unknown, plain] = [newResponse(), newResponse(), newResponse()];
  const render = (status: number) => async () => {
    await nextTurn();
    setPageStatus(status);
  };
  await Promise.all([
    withPageStatus(expired, render(410)),
    withPageStatus(unknown, render(404)),
    withPageStatus(plain, () => nextTurn().then(nextTurn)),
  ]);
  expect([expired, unknown, plain].map(({ statusCode }) => statusCode)).toEqual([410, 404, 200]);
});

test('a status set outside a page has no effect', () => {
  expect(() => setPageStatus(410)).not.toThrow();
});
