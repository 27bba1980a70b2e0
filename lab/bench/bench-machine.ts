import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly kernel: string;
  /** Native Ed25519 verifications per second on one core: shows how fast and how busy the machine is. */
  readonly verificationsPerSecond: number;
}

export function describeMachine(): Machine {
  const [first] = cpus();
  return {
    processor: first?.model.trim() || 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    kernel: `${platform()} ${release()}`,
    verificationsPerSecond: verificationsPerSecond(),
  };
}

const CALIBRATION_MS = 300;

function verificationsPerSecond(): number {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const message = Buffer.alloc(300);
  const signature = sign(null, message, privateKey);
  const begun = performance.now();
  let count = 0;
  for (; performance.now() - begun < CALIBRATION_MS; count++) verify(null, message, publicKey, signature);
  return (count * 1000) / (performance.now() - begun);
}

/** The load average of the last minute. */
export const loadOfLastMinute = (): number => loadavg()[0] ?? 0;
