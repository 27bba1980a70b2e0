import { appendFile, copyFile, open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { JournalError, openJournal } from './journal.ts';
import { temporaryDirectory } from './test-devnet.ts';

type ReplayedRecord = { at: number; header: unknown };

async function reopen(path: string) {
  const records: ReplayedRecord[] = [];
  const journal = await openJournal(path, (record) => records.push(record));
  return { records, journal, cutBytes: journal.cutBytes };
}

async function filled(path: string, count: number): Promise<ReplayedRecord[]> {
  const { journal } = await reopen(path);
  const written = Array.from({ length: count }, (_, number) => {
    const header = { number, text: 'ü'.repeat(number) };
    const { at, durable } = journal.append(header, Buffer.alloc(number * 10, number));
    return { at, header, durable };
  });
  await Promise.all(written.map(({ durable }) => durable));
  await journal.close();
  return written.map(({ at, header }) => ({ at, header }));
}

/** Lets a call on files fail after it has written a part, as on a full disk. */
async function fullDisk(path: string, call: 'writev' | 'datasync'): Promise<{ empty(): void }> {
  const file = await open(path, 'r');
  const prototype = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  const spy = vi.spyOn(prototype, call).mockImplementation(async function (this: typeof file) {
    await this.write(Buffer.from('part'), 0, 4, (await this.stat()).size);
    throw new Error('ENOSPC: no space left on device, write');
  });
  const empty = () => spy.mockRestore();
  onTestFinished(empty);
  return { empty };
}

describe('a journal', () => {
  test('returns the appended records and bodies in order', async () => {
    const path = join(await temporaryDirectory(), 'journal');
    const written = await filled(path, 20);
    const { records, journal, cutBytes } = await reopen(path);
    expect(records).toEqual(written);
    expect(cutBytes).toBe(0);
    for (const [number, { at, header }] of written.entries()) {
      expect(await journal.header(at)).toEqual(header);
      expect(await journal.body(at)).toEqual(Buffer.alloc(number * 10, number));
    }
    await journal.close();
  });

  test('can be read before the record is on disk', async () => {
    const { journal } = await reopen(join(await temporaryDirectory(), 'journal'));
    const { at } = journal.append({ quick: true }, Buffer.from('body'));
    expect(await journal.body(at)).toEqual(Buffer.from('body'));
    await journal.close();
  });

  test('truncated at any byte keeps every complete record and accepts new ones', async () => {
    const directory = await temporaryDirectory();
    const whole = join(directory, 'whole');
    const written = await filled(whole, 5);
    const { size } = await stat(whole);
    for (let length = 0; length <= size; length++) {
      const path = join(directory, `cut-${length}`);
      await copyFile(whole, path);
      await truncate(path, length);
      const cut = await reopen(path);
      const expected = written.filter((_, index) => length >= (written[index + 1]?.at ?? size));
      expect(cut.records, `cut at ${length}`).toEqual(expected);
      await cut.journal.append({ after: 'the crash' }).durable;
      await cut.journal.close();
      const reopened = await reopen(path);
      expect(reopened.records.map(({ header }) => header)).toEqual([
        ...expected.map(({ header }) => header),
        { after: 'the crash' },
      ]);
      expect(reopened.cutBytes).toBe(0);
      await reopened.journal.close();
    }
  });

  test('drops only the last record if any of its bytes is changed', async () => {
    const directory = await temporaryDirectory();
    const whole = join(directory, 'whole');
    const written = await filled(whole, 4);
    const bytes = await readFile(whole);
    const last = written.at(-1)?.at ?? 0;
    for (let at = last; at < bytes.length; at++) {
      const path = join(directory, `changed-${at}`);
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x40;
      await writeFile(path, changed);
      const { records, journal, cutBytes } = await reopen(path);
      expect(records, `byte ${at}`).toEqual(written.slice(0, -1));
      expect(cutBytes).toBe(bytes.length - last);
      await journal.close();
    }
  });

  test('drops trailing zeros, which a power failure can leave', async () => {
    const path = join(await temporaryDirectory(), 'journal');
    const written = await filled(path, 3);
    await appendFile(path, Buffer.alloc(5_000));
    const { records, journal, cutBytes } = await reopen(path);
    expect(records).toEqual(written);
    expect(cutBytes).toBe(5_000);
    await journal.close();
  });

  test('is refused if it is another kind of file or damaged far from its end', async () => {
    const directory = await temporaryDirectory();
    const foreign = join(directory, 'foreign');
    await writeFile(foreign, 'not a journal at all');
    await expect(reopen(foreign)).rejects.toThrow('is not a devnet journal');

    const path = join(directory, 'journal');
    const [first] = await filled(path, 3);
    const file = await open(path, 'r+');
    await file.write(Buffer.from([0xff]), 0, 1, (first?.at ?? 0) + 5);
    await file.truncate(40 * 1024 * 1024);
    await file.close();
    await expect(reopen(path)).rejects.toThrow(`is damaged at byte ${first?.at}`);
  });

  test('stops writing if another process has written to it', async () => {
    const path = join(await temporaryDirectory(), 'journal');
    const { journal } = await reopen(path);
    await journal.append({ mine: 1 }).durable;
    await appendFile(path, 'theirs');
    await expect(journal.append({ mine: 2 }).durable).rejects.toThrow('another process also writes to it');
    expect(() => journal.append({ mine: 3 })).toThrow(JournalError);
    await journal.close();
  });

  test.each(['writev', 'datasync'] as const)(
    'continues once a failed %s succeeds, with the records that were refused then',
    async (call) => {
      const path = join(await temporaryDirectory(), 'journal');
      const { journal } = await reopen(path);
      await journal.append({ number: 1 }).durable;
      const disk = await fullDisk(path, call);
      const refused = [2, 3].map((number) => journal.append({ number }, Buffer.alloc(5_000, number)));
      for (const { durable } of refused) await expect(durable).rejects.toThrow('no space left on device');
      await expect(journal.settled(refused[0]?.at ?? 0)).rejects.toThrow(JournalError);
      const append = () => journal.append({ number: 4 });
      for (let times = 0; times < 3; times++) expect(append).toThrow('no space left on device');

      disk.empty();
      const appended = await vi.waitFor(append);
      await appended.durable;
      await journal.settled(refused[1]?.at ?? 0);
      expect(await journal.body(refused[1]?.at ?? 0)).toEqual(Buffer.alloc(5_000, 3));
      await journal.close();
      const reopened = await reopen(path);
      expect(reopened.records.map(({ header }) => header)).toEqual([1, 2, 3, 4].map((number) => ({ number })));
      await reopened.journal.close();
    },
  );

  test('accepts a thousand concurrent records and a body of several megabytes', async () => {
    const path = join(await temporaryDirectory(), 'journal');
    const { journal } = await reopen(path);
    const large = Buffer.alloc(9 * 1024 * 1024, 3);
    const appended = Array.from({ length: 1_200 }, (_, number) =>
      journal.append({ number }, number === 600 ? large : Buffer.alloc(1_000, number)),
    );
    await Promise.all(appended.map(({ durable }) => durable));
    await journal.close();
    const reopened = await reopen(path);
    expect(reopened.records).toHaveLength(1_200);
    expect((await reopened.journal.body(appended[600]?.at ?? 0)).equals(large)).toBe(true);
    await reopened.journal.close();
  });
});
