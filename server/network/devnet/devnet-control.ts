import { type Answer, type DevnetRequest, json, text } from './devnet-server.ts';
import { type Fault, type Faults, faultShape } from './faults.ts';
import type { DevnetKind, DevnetState } from './state.ts';

const MAX_BLOCKS = 1_000;

/** Operations that only a devnet has. Each resolves when its record is on disk. */
export type DevnetControls = {
  /** Mines blocks immediately. */
  mine(blocks?: number): Promise<void>;
  /** Adds winston to a wallet, or removes them; the balance never goes below zero. */
  mint(address: string, winston: bigint): Promise<void>;
  /** Replaces the last blocks by empty ones; their transactions become pending again or, with `drop`, are lost. */
  reorganise(blocks: number, options?: { drop?: boolean }): Promise<void>;
  /** Injects a fault; not kept over a restart. */
  setFault(fault: Fault): void;
  /** Answers like a gateway or like a node from now on; not kept over a restart. */
  setKind(kind: DevnetKind): void;
};

export function createControls(state: DevnetState, faults: Faults): DevnetControls {
  const { chain, commit } = state;
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
    setKind(kind) {
      state.kind = kind;
    },
  };
}

/**
 * The same over HTTP: POST /mine or /mine/:n, /mint/:address/:winston, /reorganise/:n (?drop=true), /kind/:kind,
 * /faults; GET /faults. Refuses requests from web pages: a malicious page must not be able to control the developer's devnet.
 */
export function createControlRoutes(state: DevnetState, faults: Faults, controls: DevnetControls) {
  const status = () => json(200, { height: state.chain.height, pending: state.chain.pending().length });

  return async (request: DevnetRequest): Promise<Answer | undefined> => {
    const [, command, first, second] = request.path.split('/');
    if (!['mine', 'mint', 'reorganise', 'kind', 'faults'].includes(command ?? '')) return undefined;
    if (request.foreign) return text(403, 'Control requests must come from this machine and not from a web page.');
    if (request.method === 'GET' && command === 'faults') return json(200, faults.current());
    if (request.method !== 'POST') return text(405, 'Use POST.');

    if (command === 'faults') {
      const fault = faultShape.safeParse(request.json());
      if (!fault.success) return text(400, `Invalid fault: ${fault.error.issues[0]?.message}.`);
      controls.setFault(fault.data);
      return json(200, faults.current());
    }
    if (command === 'kind') {
      if (first !== 'gateway' && first !== 'node') return text(400, 'Use /kind/gateway or /kind/node.');
      controls.setKind(first);
      return text(200, first);
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
    return status();
  };
}
