import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/**
 * Test code: a second implementation, written from the texts of RFC 6962 and C2SP alone. It imports nothing of this project, is
 * naive and recursive, and returns null or false for everything it does not accept.
 */

const sha256 = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/* RFC 6962 section 2.1 ------------------------------------------------------------------------------------------- */

/** The largest power of two smaller than n. */
const largestPowerBelow = (n: number): number => (n <= 2 ? 1 : 2 * largestPowerBelow(Math.ceil(n / 2)));

export const leafOf = (data: Uint8Array): Buffer => sha256('\x00', data);
const node = (left: Uint8Array, right: Uint8Array): Buffer => sha256('\x01', left, right);

/**
 * The tree over a list of data, which repeats after its end, so that there are trees of any size. Hashes of ranges are kept, so
 * that every pair of sizes can be tested.
 */
export class NaiveTree {
  readonly #leaves: readonly Buffer[];
  readonly #known = new Map<string, Buffer>();

  constructor(data: readonly Uint8Array[]) {
    this.#leaves = data.map(leafOf);
  }

  /** MTH(D[from:to]) */
  mth(from: number, to: number): Buffer {
    const key = `${from % this.#leaves.length}:${to - from}`;
    const known = this.#known.get(key);
    if (known) return known;
    const k = largestPowerBelow(to - from);
    const hash =
      to === from
        ? sha256('')
        : to - from === 1
          ? (this.#leaves[from % this.#leaves.length] ?? Buffer.alloc(0))
          : node(this.mth(from, from + k), this.mth(from + k, to));
    this.#known.set(key, hash);
    return hash;
  }

  /** PATH(m, D[from:to]) */
  path(m: number, from: number, to: number): Buffer[] {
    const n = to - from;
    if (n === 1) return [];
    const k = largestPowerBelow(n);
    return m < k
      ? [...this.path(m, from, from + k), this.mth(from + k, to)]
      : [...this.path(m - k, from + k, to), this.mth(from, from + k)];
  }

  /** PROOF(m, D[0:n]) */
  proof(m: number, n: number): Buffer[] {
    return this.#subproof(m, 0, n, true);
  }

  #subproof(m: number, from: number, to: number, isWhole: boolean): Buffer[] {
    const n = to - from;
    if (m === n) return isWhole ? [] : [this.mth(from, to)];
    const k = largestPowerBelow(n);
    return m <= k
      ? [...this.#subproof(m, from, from + k, isWhole), this.mth(from + k, to)]
      : [...this.#subproof(m - k, from + k, to, false), this.mth(from, from + k)];
  }

  /** C2SP tlog-tiles: the n-th tile at a level, for a tree of this size; empty if there is none. */
  tile(level: number, n: number, size: number): Buffer {
    const hashes: Buffer[] = [];
    for (let i = 0; i < 256; i++) {
      const end = (n * 256 + i + 1) * 256 ** level;
      if (end <= size) hashes.push(this.mth((n * 256 + i) * 256 ** level, end));
    }
    return Buffer.concat(hashes);
  }
}

/** The root that a path leads to; null if its length does not fit. */
function rootAbove(m: number, n: number, leaf: Uint8Array, path: readonly Uint8Array[]): Uint8Array | null {
  if (n === 1) return path.length === 0 ? leaf : null;
  const last = path.at(-1);
  if (!last) return null;
  const k = largestPowerBelow(n);
  const child = m < k ? rootAbove(m, k, leaf, path.slice(0, -1)) : rootAbove(m - k, n - k, leaf, path.slice(0, -1));
  if (!child) return null;
  return m < k ? node(child, last) : node(last, child);
}

export function checkInclusion(
  m: number,
  n: number,
  leaf: Uint8Array,
  path: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  const found = m < n ? rootAbove(m, n, leaf, path) : null;
  return found !== null && Buffer.compare(found, root) === 0;
}

/** The old and the new root that a subproof leads to. */
function rootsAbove(
  m: number,
  n: number,
  proof: readonly Uint8Array[],
  oldRoot: Uint8Array | null,
): readonly [Uint8Array, Uint8Array] | null {
  const last = proof.at(-1);
  if (m === n) {
    if (oldRoot) return proof.length === 0 ? [oldRoot, oldRoot] : null;
    return last && proof.length === 1 ? [last, last] : null;
  }
  if (!last) return null;
  const k = largestPowerBelow(n);
  const rest = proof.slice(0, -1);
  const roots = m <= k ? rootsAbove(m, k, rest, oldRoot) : rootsAbove(m - k, n - k, rest, null);
  if (!roots) return null;
  const [older, newer] = roots;
  return m <= k ? [older, node(newer, last)] : [node(last, older), node(last, newer)];
}

/** With the rules of C2SP tlog-witness for the empty tree. */
export function checkConsistency(
  m: number,
  n: number,
  oldRoot: Uint8Array,
  root: Uint8Array,
  proof: readonly Uint8Array[],
): boolean {
  if (m > n) return false;
  if (m === 0) return proof.length === 0 && sha256('').equals(oldRoot) && (n > 0 || sha256('').equals(root));
  const roots = rootsAbove(m, n, proof, oldRoot);
  return roots !== null && Buffer.compare(roots[0], oldRoot) === 0 && Buffer.compare(roots[1], root) === 0;
}

/* C2SP tlog-tiles ------------------------------------------------------------------------------------------------ */

export function pathOfTile(level: number | 'entries', n: number, width: number): string {
  let path = String(n % 1000).padStart(3, '0');
  for (let rest = Math.floor(n / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    path = `x${String(rest % 1000).padStart(3, '0')}/${path}`;
  }
  return `tile/${level}/${path}${width < 256 ? `.p/${width}` : ''}`;
}

export const bundleOf = (data: readonly Uint8Array[]): Buffer =>
  Buffer.concat(data.flatMap((entry) => [Buffer.from([Math.floor(entry.length / 256), entry.length % 256]), entry]));

/* C2SP signed-note ----------------------------------------------------------------------------------------------- */

const strictBase64 = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
};
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicKeyOf = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' });
const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
const rawKeyOf = (seed: Uint8Array): Buffer =>
  createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' }).subarray(-32);

const keyIdOf = (name: string, type: number, key: Uint8Array): Buffer =>
  sha256(name, '\n', Buffer.from([type]), key).subarray(0, 4);

export const vkeyOf = (name: string, type: number, seed: Uint8Array): string => {
  const key = rawKeyOf(seed);
  const material = Buffer.concat([Buffer.from([type]), key]).toString('base64');
  return `${name}+${keyIdOf(name, type, key).toString('hex')}+${material}`;
};

interface Vkey {
  readonly name: string;
  readonly id: string;
  readonly type: number;
  readonly key: Buffer;
}

export function readVkey(text: string): Vkey | null {
  const [name = '', id = ''] = text.split('+');
  const material = strictBase64(text.slice(name.length + id.length + 2));
  if (!isName(name) || material?.length !== 33 || !/^[0-9a-f]{8}$/.test(id)) return null;
  const [type = 0, key] = [material[0], material.subarray(1)];
  if (type !== 1 && type !== 4) return null;
  return keyIdOf(name, type, key).toString('hex') === id ? { name, id, type, key } : null;
}

/** The characters that Unicode 16 lists as White_Space. */
const SPACES = [9, 10, 11, 12, 13, 32, 133, 160, 5760, 8232, 8233, 8239, 8287, 12288];
const isSpace = (code: number): boolean => SPACES.includes(code) || (code >= 8192 && code <= 8202);
const isName = (name: string): boolean =>
  name.length > 0 && [...name].every((sign) => !isSpace(sign.codePointAt(0) ?? 0) && sign !== '+');

export interface ReadNote {
  readonly text: string;
  readonly lines: readonly { readonly name: string; readonly id: string; readonly bytes: Buffer }[];
}

export function readNote(bytes: Uint8Array): ReadNote | null {
  const content = Buffer.from(bytes).toString('utf8');
  if (Buffer.compare(Buffer.from(content, 'utf8'), bytes) !== 0) return null;
  for (const byte of bytes) if (byte < 0x20 && byte !== 0x0a) return null;
  if (!content.endsWith('\n')) return null;
  const all = content.slice(0, -1).split('\n');
  const blank = all.lastIndexOf('');
  if (blank < 1 || blank === all.length - 1) return null;
  const lines = [];
  for (const line of all.slice(blank + 1)) {
    const parts = line.split(' ');
    const [dash, name = '', encoded = ''] = parts;
    const decoded = strictBase64(encoded);
    if (parts.length !== 3 || dash !== '\u2014' || !isName(name) || !decoded || decoded.length < 5) return null;
    lines.push({ name, id: decoded.toString('hex', 0, 4), bytes: decoded.subarray(4) });
  }
  return { text: `${all.slice(0, blank).join('\n')}\n`, lines };
}

/** 'good' if a signature of the key verifies, 'bad' if one does not, null if there is none. */
export function checkNote(note: ReadNote, key: Vkey): 'good' | 'bad' | null {
  const own = note.lines.filter(({ name, id }) => name === key.name && id === key.id);
  if (own.length === 0) return null;
  const isGood = own.every(({ bytes }) => {
    if (key.type === 1) return verify(null, Buffer.from(note.text), publicKeyOf(key.key), bytes);
    if (bytes.length !== 72 || bytes.readBigUInt64BE() >= 2n ** 63n) return false;
    const message = `cosignature/v1\ntime ${bytes.readBigUInt64BE()}\n${note.text}`;
    return verify(null, Buffer.from(message), publicKeyOf(key.key), bytes.subarray(8));
  });
  return isGood ? 'good' : 'bad';
}

const signatureLine = (name: string, id: Uint8Array, signature: Uint8Array): string =>
  `\u2014 ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`;

export const signLine = (name: string, seed: Uint8Array, text: string): string =>
  signatureLine(name, keyIdOf(name, 1, rawKeyOf(seed)), sign(null, Buffer.from(text), privateKeyOf(seed)));

export function cosignLine(name: string, seed: Uint8Array, text: string, time: number): string {
  const stamp = Buffer.alloc(8);
  stamp.writeBigUInt64BE(BigInt(time));
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), privateKeyOf(seed));
  return signatureLine(name, keyIdOf(name, 4, rawKeyOf(seed)), Buffer.concat([stamp, signature]));
}

/* C2SP tlog-checkpoint, tlog-proof, tlog-witness ----------------------------------------------------------------- */

export interface ReadCheckpoint {
  readonly origin: string;
  readonly size: bigint;
  readonly root: Buffer;
}

export const checkpointText = (origin: string, size: number, root: Uint8Array): string =>
  `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;

export function readCheckpoint(text: string): ReadCheckpoint | null {
  const match = /^([^\n]+)\n(0|[1-9][0-9]*)\n([^\n]+)\n(?:[^\n]+\n)*$/.exec(text);
  const root = strictBase64(match?.[3] ?? '');
  if (!match?.[1] || !match[2] || root?.length !== 32) return null;
  return { origin: match[1], size: BigInt(match[2]), root };
}

/** Whether a note is a checkpoint that the log signed and `quorum` of the witnesses cosigned. */
export function acceptCheckpoint(
  bytes: Uint8Array,
  log: string,
  witnesses: readonly string[],
  quorum: number,
): ReadCheckpoint | null {
  const note = readNote(bytes);
  const key = readVkey(log);
  const checkpoint = note && readCheckpoint(note.text);
  if (!note || !key || checkpoint?.origin !== key.name || checkNote(note, key) !== 'good') return null;
  const results = witnesses.map((witness) => {
    const witnessKey = readVkey(witness);
    return witnessKey && checkNote(note, witnessKey);
  });
  return results.includes('bad') || results.filter((result) => result === 'good').length < quorum ? null : checkpoint;
}

interface HeadAndNote {
  readonly head: string[];
  readonly note: Buffer;
}

function splitAtEmptyLine(bytes: Uint8Array): HeadAndNote | null {
  const all = Buffer.from(bytes);
  const at = all.indexOf('\n\n');
  return at === -1 ? null : { head: all.toString('utf8', 0, at).split('\n'), note: all.subarray(at + 2) };
}

/** The hashes of lines; null if one is not a hash, or there are more than 63. */
function hashesOf(lines: readonly string[]): Buffer[] | null {
  const hashes = lines.map(strictBase64);
  const good = hashes.flatMap((hash) => (hash?.length === 32 ? [hash] : []));
  return good.length === lines.length && good.length <= 63 ? good : null;
}

export function readProofFile(bytes: Uint8Array): {
  readonly extra: Buffer;
  readonly index: number;
  readonly path: readonly Buffer[];
  readonly note: Buffer;
} | null {
  const [first, extraLine, indexLine, ...lines] = splitAtEmptyLine(bytes)?.head ?? [];
  const extra = strictBase64(/^extra (.+)$/.exec(extraLine ?? '')?.[1] ?? '');
  const index = /^index (0|[1-9][0-9]*)$/.exec(indexLine ?? '')?.[1];
  const path = hashesOf(lines);
  const note = splitAtEmptyLine(bytes)?.note;
  if (first !== 'c2sp.org/tlog-proof@v1' || !extra?.length || index === undefined || !path || !note) return null;
  return { extra, index: Number(index), path, note };
}

/** Whether the extra data is an ANS-104 item whose id is the leaf that the file proves. It does not read the entry. */
export function acceptProofFile(bytes: Uint8Array, log: string, witnesses: readonly string[], quorum: number): boolean {
  const file = readProofFile(bytes);
  const checkpoint = file && acceptCheckpoint(file.note, log, witnesses, quorum);
  if (!file || !checkpoint) return false;
  const id = sha256(file.extra.subarray(2, 66));
  return checkInclusion(file.index, Number(checkpoint.size), leafOf(id), file.path, checkpoint.root);
}

export function readAddCheckpoint(bytes: Uint8Array): {
  readonly oldSize: bigint;
  readonly proof: readonly Buffer[];
  readonly note: ReadNote;
  readonly checkpoint: ReadCheckpoint;
} | null {
  const parts = splitAtEmptyLine(bytes);
  const [old = '', ...lines] = parts?.head ?? [];
  const oldSize = /^old (0|[1-9][0-9]*)$/.exec(old)?.[1];
  const proof = hashesOf(lines);
  const note = parts && readNote(parts.note);
  const checkpoint = note && readCheckpoint(note.text);
  return oldSize === undefined || !proof || !checkpoint ? null : { oldSize: BigInt(oldSize), proof, note, checkpoint };
}

/** A witness of C2SP tlog-witness, which keeps what it cosigned in memory. */
export class SecondWitness {
  readonly vkey: string;
  readonly #name: string;
  readonly #seed: Uint8Array;
  readonly #logs = new Map<string, Vkey>();
  /** What was cosigned last, by origin. */
  readonly last = new Map<string, { readonly size: number; readonly root: Buffer }>();

  constructor(name: string, seed: Uint8Array, logs: readonly string[]) {
    this.vkey = vkeyOf(name, 4, seed);
    this.#name = name;
    this.#seed = seed;
    for (const log of logs) this.accept(log);
  }

  accept(log: string): void {
    const key = readVkey(log);
    if (key) this.#logs.set(key.name, key);
  }

  answer(body: Uint8Array): { readonly status: number; readonly type?: string; readonly body: string } {
    const request = readAddCheckpoint(body);
    if (!request) return { status: 400, body: '' };
    const { origin, root } = request.checkpoint;
    const [oldSize, size] = [Number(request.oldSize), Number(request.checkpoint.size)];
    const key = this.#logs.get(origin);
    if (!key) return { status: 404, body: '' };
    if (checkNote(request.note, key) !== 'good') return { status: 403, body: '' };
    if (oldSize > size) return { status: 400, body: '' };
    const last = this.last.get(origin) ?? { size: 0, root: sha256('') };
    if (oldSize !== last.size) return { status: 409, type: 'text/x.tlog.size', body: `${last.size}\n` };
    const isSame = oldSize !== size || root.equals(last.root);
    if (!isSame || !checkConsistency(oldSize, size, last.root, root, request.proof)) return { status: 422, body: '' };
    this.last.set(origin, { size, root });
    return { status: 200, body: this.cosign(request.note.text) };
  }

  cosign(text: string): string {
    return cosignLine(this.#name, this.#seed, text, Math.floor(Date.now() / 1000));
  }
}

/** A log of C2SP tlog-checkpoint that asks witnesses. Its leaves are `<label> 0`, `<label> 1` and so on. */
export class SecondLog {
  readonly vkey: string;
  readonly #origin: string;
  readonly #seed: Uint8Array;
  readonly #tree: NaiveTree;

  constructor(origin: string, seed: Uint8Array, label: string) {
    this.vkey = vkeyOf(origin, 1, seed);
    this.#origin = origin;
    this.#seed = seed;
    this.#tree = new NaiveTree(Array.from({ length: 300 }, (_, n) => Buffer.from(`${label} ${n}`)));
  }

  text(size: number): string {
    return checkpointText(this.#origin, size, this.#tree.mth(0, size));
  }

  /** The signed checkpoint. */
  checkpoint(size: number): string {
    return `${this.text(size)}\n${signLine(this.#origin, this.#seed, this.text(size))}`;
  }

  /** The body of add-checkpoint. */
  request(oldSize: number, size: number): string {
    const proof = oldSize > 0 && oldSize < size ? this.#tree.proof(oldSize, size) : [];
    const lines = proof.map((hash) => `${hash.toString('base64')}\n`).join('');
    return `old ${oldSize}\n${lines}\n${this.checkpoint(size)}`;
  }
}
