import { createPublicKey, sign, verify } from 'node:crypto';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { newSigningKey } from '../../server/platform/crypto/signed-request.ts';

const CALIBRATION_MS = 300;

/** The machine in one line. Its verifications per second show how fast and how busy a core is. */
export function describeMachine(): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const processor = `${cpus()[0]?.model.trim() || 'unknown processor'}, ${cpus().length} cores, ${gibibytes} GiB`;
  const load = loadavg()[0]?.toFixed(2);
  return `${processor}, Node ${process.version}, ${platform()} ${release()}; load average before: ${load}; one core verifies ${verificationsPerSecond()} Ed25519 signatures per second`;
}

function verificationsPerSecond(): number {
  const { privateKey } = newSigningKey();
  const publicKey = createPublicKey(privateKey);
  const message = Buffer.alloc(300);
  const signature = sign(null, message, privateKey);
  const begun = performance.now();
  let count = 0;
  for (; performance.now() - begun < CALIBRATION_MS; count++) verify(null, message, publicKey, signature);
  return Math.round((count * 1000) / (performance.now() - begun));
}
