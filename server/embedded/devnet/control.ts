import { type Fault, type Faults, faultShape } from './faults.ts';
import { type Answer, type DevnetRequest, json, text } from './http.ts';
import type { DevnetState } from './state.ts';

const MAX_BLOCKS = 1_000;

/** What only a devnet can do. Each resolves when it is on the disk, as far as it is kept. */
export type DevnetControls = {
  /** Mines blocks now. */
  mine(blocks?: number): Promise<void>;
  /** Gives winston to a wallet, or takes them (never below zero). */
  mint(address: string, winston: bigint): Promise<void>;
  /** Replaces the last blocks by empty ones; their transactions become pending again or, with `drop`, are lost. */
  reorganise(blocks: number, options?: { drop?: boolean }): Promise<void>;
  /** Misbehaves from now on; not kept over a restart. */
  setFault(fault: Fault): void;
};

export function createControls({ chain, commit }: DevnetState, faults: Faults): DevnetControls {
  const now = () => Math.floor(Date.now() / 1000);
  return {
    async mine(blocks = 1) {
      const durable = Array.from({ length: blocks }, () => commit(chain.nextBlock(now())));
      await Promise.all(durable);
    },
    async mint(address, winston) {
      const balance = chain.balance(address);
      const change = balance + winston < 0n ? -balance : winston;
      await commit({ kind: 'credit', address, winston: String(change) });
    },
    async reorganise(blocks, { drop = false } = {}) {
      await commit(chain.reorganisation(blocks, drop, now()));
    },
    setFault: faults.set,
  };
}

/**
 * The same over HTTP: POST /mine or /mine/:n, /mint/:address/:winston, /reorganise/:n (?drop=true), /faults; GET
 * /faults. Pages of other origins are turned away: a browser must not be usable to disturb its owner's devnet.
 */
export function createControlRoutes(state: DevnetState, faults: Faults, controls: DevnetControls) {
  const standing = () => json(200, { height: state.chain.height, pending: state.chain.pending().length });

  return async (request: DevnetRequest): Promise<Answer | undefined> => {
    const [, command, first, second] = request.path.split('/');
    if (!['mine', 'mint', 'reorganise', 'faults'].includes(command ?? '')) return undefined;
    if (request.foreign) return text(403, 'Only from this machine, and not from a page of another origin.');
    if (request.method === 'GET' && command === 'faults') return json(200, faults.current());
    if (request.method !== 'POST') return text(405, 'Use POST.');

    if (command === 'faults') {
      const fault = faultShape.safeParse(request.json());
      if (!fault.success) return text(400, `No such fault: ${fault.error.issues[0]?.message}.`);
      controls.setFault(fault.data);
      return json(200, faults.current());
    }
    if (command === 'mint') {
      if (!/^[\w-]{43}$/.test(first ?? '') || !/^-?\d{1,24}$/.test(second ?? '')) {
        return text(400, 'Use /mint/:address/:winston.');
      }
      await controls.mint(first ?? '', BigInt(second ?? 0));
      return text(200, String(state.chain.balance(first ?? '')));
    }
    const blocks = Number(first ?? 1);
    if (!Number.isInteger(blocks) || blocks < 1 || blocks > MAX_BLOCKS) {
      return text(400, `Use /${command}/:n, with n from 1 to ${MAX_BLOCKS}.`);
    }
    if (command === 'mine') await controls.mine(blocks);
    else await controls.reorganise(blocks, { drop: request.search.get('drop') === 'true' });
    return standing();
  };
}
