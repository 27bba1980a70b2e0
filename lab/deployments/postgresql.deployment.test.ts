import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Instance, newInstance } from '../../server/testing/test-product.ts';
import { newAuthority } from './test-authority.ts';
import { readyOf, SETTINGS, settled, statusOfCreation } from './test-creations.ts';
import { doctorOf, npmRun } from './test-npm.ts';
import { createOwner, createPostgresql, type TestPostgresql } from './test-postgresql.ts';

async function instanceOn(
  settings: Record<string, string>,
): Promise<{ instance: Instance; env: Record<string, string> }> {
  const instance = await newInstance({ ...SETTINGS, ...settings });
  onTestFinished(instance.remove);
  return { instance, env: { ...SETTINGS, ...settings, DATA_DIR: instance.dataDir } };
}

describe.each(['Debian', 'embedded'] as const)('PostgreSQL of %s', (release) => {
  let server: TestPostgresql;
  beforeAll(async () => {
    server = await createPostgresql(release);
    await server.start();
  });
  afterAll(() => server?.remove());

  test('serves a role that owns its database and has no other right, over TLS and with SCRAM, through every command', async () => {
    const DATABASE_URL = await createOwner(server, 'perpetua', 'secret-of-perpetua');
    const { rows } = await server.query("SELECT rolsuper, rolpassword FROM pg_authid WHERE rolname = 'perpetua'");
    expect(rows).toEqual([{ rolsuper: false, rolpassword: expect.stringMatching(/^SCRAM-SHA-256\$/) }]);
    const { instance, env } = await instanceOn({ DATABASE_URL });
    const run = (name: string, ...args: string[]) => npmRun(name, args, env);
    const migrated = await run('migrate');
    expect(migrated, migrated.text).toMatchObject({ status: 0 });
    expect(await doctorOf('database', env)).toEqual([]);
    expect(await doctorOf('encryption of the database', env)).toEqual([]);
    expect(await doctorOf('backups', env)).toEqual([expect.stringMatching(/^warning: .* \(archive_mode is off\)/)]);

    const first = await instance.start();
    expect(await statusOfCreation(first.url)).toBe(201);
    const encrypted =
      await server.query(`SELECT DISTINCT ssl, version FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE usename = 'perpetua'`);
    expect(encrypted.rows).toEqual([{ ssl: true, version: 'TLSv1.3' }]);
    expect(await readyOf(first.url)).toMatchObject({ status: 'ready', database: { ok: true } });
    const key = join(server.folder, 'next.key');
    const { text } = await run('rotate-relayer-key', 'new-key', key);
    const digest = /[0-9a-f]{64}[-\w]*/.exec(text)?.[0] ?? text;
    const committed = await run('rotate-relayer-key', 'commit', digest);
    expect(committed, committed.text).toMatchObject({ status: 0 });
    const following =
      /[0-9a-f]{64}[-\w]*/.exec((await run('rotate-relayer-key', 'new-key', `${key}.2`)).text)?.[0] ?? '';
    const rotated = await run('rotate-relayer-key', 'rotate', '--key', key, '--next-digest', following);
    expect(rotated, rotated.text).toMatchObject({ status: 0 });
    expect(await statusOfCreation(first.url)).toBe(201);
    expect(await first.end('SIGTERM')).toBe(0);

    const wrapped = await run('rotate-vault-key');
    expect(wrapped, wrapped.text).toMatchObject({ status: 0 });
    const second = await instance.start();
    expect(await statusOfCreation(second.url)).toBe(201);
    await settled(second.url);
    const verified = await run('verify');
    expect(verified, verified.text).toMatchObject({ status: 0, text: expect.stringContaining('No breach was found.') });
    expect(await run('backup', '/tmp')).toMatchObject({
      status: 2,
      text: expect.stringContaining('use pgBackRest or WAL-G'),
    });
    expect(await run('backup', '--check')).toMatchObject({
      status: 1,
      text: expect.stringContaining('archive_mode is off'),
    });
    expect(await second.end('SIGTERM')).toBe(0);
  });

  test('refuses what is not encrypted, not its own, or not permitted, and the service and its doctor say so in a sentence', async () => {
    const owner = await createOwner(server, 'strict', 'secret-of-strict');
    const stranger = newAuthority(server.folder, `stranger-${release}`);
    const CASES: [string, string, RegExp][] = [
      [
        'plain text',
        owner.replace(/\?.*/, ''),
        /does not admit the role in DATABASE_URL without TLS \(.*no encryption\); add sslmode=verify-full/,
      ],
      [
        'another authority',
        owner.replace(server.authority.file, stranger.file),
        /The TLS connection to the database fails \(\w*(SIGNATURE|SELF_SIGNED|CERT)\w*\);/,
      ],
      [
        'no authority',
        owner.replace(/&sslrootcert.*/, ''),
        /The TLS connection to the database fails \(\w*(SIGNATURE|SELF_SIGNED|CERT)\w*\);/,
      ],
      [
        'another host name',
        owner.replace('@localhost', '@127.0.0.1'),
        /The TLS connection to the database fails \(ERR_TLS_CERT_ALTNAME_INVALID\);/,
      ],
      [
        'a missing authority file',
        owner.replace(server.authority.file, '/nonexistent/ca.pem'),
        /\/nonexistent\/ca\.pem.* cannot be (used|read) \(ENOENT\)/,
      ],
      ['another password', owner.replace('secret-of', 'guess-of'), /refuses the password in DATABASE_URL/],
      ['another database', owner.replace('/strict?', '/perpetua_?'), /does not exist on its server/],
    ];
    const { instance, env } = await instanceOn({});
    for (const [name, DATABASE_URL, sentence] of CASES) {
      const { code, output } = await instance.failToStart({ DATABASE_URL });
      expect(
        [
          name,
          code,
          output
            .trim()
            .split('\n')
            .filter((line) => sentence.test(line)),
        ],
        output,
      ).toEqual([name, 1, [expect.any(String)]]);
      const [finding = '', ...more] = await doctorOf('database', { ...env, DATABASE_URL });
      expect([name, finding.replace('error: ', ''), more]).toEqual([name, expect.stringMatching(sentence), []]);
    }
  });

  test('serves a role that owns nothing, after its owner has migrated', async () => {
    const owner = await createOwner(server, 'owner', 'secret-of-owner');
    await server.query("CREATE ROLE guest LOGIN PASSWORD 'secret-of-guest'");
    const { instance, env } = await instanceOn({ DATABASE_URL: server.url('guest', 'secret-of-guest', 'owner') });
    const refused = await instance.failToStart({});
    expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/lacks a right/) });
    expect(await npmRun('migrate', [], { ...env, DATABASE_URL: owner })).toMatchObject({ status: 0 });
    await server.query(
      'GRANT USAGE ON SCHEMA public TO guest; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO guest',
      'owner',
    );
    const product = await instance.start();
    expect(await statusOfCreation(product.url)).toBe(201);
    expect(await readyOf(product.url)).toMatchObject({ status: 'ready' });
    expect(await product.end('SIGTERM')).toBe(0);
  });
});

test('a server without TLS is refused by a URL that asks for it', async () => {
  const server = await createPostgresql('Debian');
  onTestFinished(server.remove);
  await server.start({ ssl: 'off' });
  const { instance, env } = await instanceOn({ DATABASE_URL: server.url('anyone', 'x', 'anyone') });
  const sentence = /The TLS connection to the database fails \(.*does not support SSL.*\);/m;
  expect(await instance.failToStart({})).toMatchObject({ code: 1, output: expect.stringMatching(sentence) });
  expect(await doctorOf('database', env)).toEqual([expect.stringMatching(/does not support SSL/)]);
});
