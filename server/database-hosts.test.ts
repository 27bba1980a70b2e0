import { expect, test } from 'vitest';
import { databaseHosts } from './database-hosts.ts';

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
