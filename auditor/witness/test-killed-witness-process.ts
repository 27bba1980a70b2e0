import { newVerifierKey } from '../../protocol/transparency/verifier-key.ts';
import { listen } from './listen.ts';
import { readLogList } from './log-list.ts';
import { createWitness } from './witness.ts';
import { openState } from './witness-state-file.ts';

/** A witness in its own process that is killed after it stored the head, before it sent anything. */
const { directory, vkey, publicKey } = JSON.parse(process.argv[2] ?? '{}');
const state = await openState(directory, false);
let isStored = false;
const witness = createWitness({
  logs: readLogList([vkey]),
  state: {
    last: state.last,
    async store(origin, head) {
      await state.store(origin, head);
      isStored = true;
      process.kill(process.pid, 'SIGKILL');
      throw new Error('unreachable');
    },
  },
  key: newVerifierKey('killed.example', 4, publicKey),
  sign() {
    if (!isStored) throw new Error('The witness signs before it has stored the tree.');
    return new Uint8Array(64);
  },
  now: Date.now,
});
const { port } = await listen({ host: '127.0.0.1', port: 0 }, witness, () => undefined);
process.send?.(port);
