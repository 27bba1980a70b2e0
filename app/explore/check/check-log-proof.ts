import { utf8ToBytes } from '../../../protocol/signing/encoding.ts';
import { checkProofFile } from '../../../protocol/transparency/check-proof-file.ts';
import { readPolicy } from '../../../protocol/transparency/checkpoint.ts';
import type { AnyStep } from './steps.ts';
import type { LogProof } from './use-check.ts';

/** Loaded on demand. @throws {TransparencyError} for keys that are not verifier keys */
export const checkLogProof = ({ file, log, witnesses }: LogProof, id: string): Generator<AnyStep> =>
  checkProofFile(utf8ToBytes(file), readPolicy({ log: [log], witnesses, quorum: 0 }), id);
