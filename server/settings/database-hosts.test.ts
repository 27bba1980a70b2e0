import { expect, test } from 'vitest';
import { databaseHosts, unencryptedHosts, unencryptedProblem } from './database-hosts.ts';

test('a URL with several hosts becomes one URL for each host', () => {
  expect(
    databaseHosts('postgres://u:p%40@one:5433,[::1]:5432,three/db?target_session_attrs=read-write&sslmode=require'),
  ).toEqual([
    'postgres://u:p%40@one:5433/db?sslmode=require',
    'postgres://u:p%40@[::1]:5432/db?sslmode=require',
    'postgres://u:p%40@three/db?sslmode=require',
  ]);
  for (const single of ['postgres://u:p@one:5432/db?sslmode=require', 'postgresql:///db?host=/run/postgresql']) {
    expect(databaseHosts(single)).toEqual([single]);
  }
});

test.each([
  'mysql://u:p@one/db',
  'one:5432,two:5432/db',
  'postgres://one:5432,/db',
  'postgres://one:5432,two:port/db',
  'postgres://one,two/db?target_session_attrs=standby',
])('%s is not a database URL', (url) => {
  expect(databaseHosts(url)).toBeNull();
});

test.each<[string, string[], string?]>([
  ['postgres://db.example/x', ['db.example']],
  ['postgres://u:p@10.0.0.7:5432/x', ['10.0.0.7']],
  ['postgres://one.example,localhost,two.example/x?sslmode=disable', ['one.example', 'two.example']],
  ['postgres://[2001:db8::1]/x?ssl=false', ['2001:db8::1']],
  ['postgres://localhost/x?host=db.example', ['db.example']],
  ['postgres://db.example/x', ['db.example'], 'disable'],
  ['postgres://db.example/x', [], 'require'],
  ['postgres://db.example/x?sslmode=disable', ['db.example'], 'require'],
  ['postgres://db.example/x?sslmode=verify-full', []],
  ['postgres://db.example/x?ssl=true', []],
  ['postgres://127.0.0.1/x', []],
  ['postgres://[::1]:5433/x', []],
  ['postgres://localhost/x', []],
  ['postgresql:///x?host=/run/postgresql', []],
  ['postgres://%2Frun%2Fpostgresql/x', []],
])('connections to %s are not encrypted to %j', (url, hosts, sslMode) => {
  expect(unencryptedHosts(url, sslMode)).toEqual(hosts);
});

test('a connection that is not encrypted is reported for the database and its standbys', () => {
  const problem = (DATABASE_URL: string | undefined, DATABASE_READ_URL: string[] = []) =>
    unencryptedProblem({ DATABASE_URL, DATABASE_READ_URL }, undefined);
  expect(problem(undefined)).toBeNull();
  expect(problem('postgres://localhost/x')).toBeNull();
  expect(problem('postgres://one.example/x', ['postgres://two.example/x', 'postgres://one.example/x'])).toMatch(
    /^Connections to the database at one\.example, two\.example are not encrypted/,
  );
});
