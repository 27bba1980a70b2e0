import { expect, test } from 'vitest';
import { matching, placesOf, roleActions } from './palette-places.ts';

const TITLES = {
  '/': 'Perpetua: a sentence',
  '/explore': 'Explorar el registro – Perpetua',
  '/explore/[reference]': 'Explorar – Perpetua',
  '/explore/search': 'Explorar – Perpetua',
  '/register': 'Registrar una institución – Perpetua',
  '/me': 'Resumen – Perpetua',
  '/me/export': 'Exportar – Perpetua',
  '/institution': 'Su institución – Perpetua',
  '/institute': 'El instituto – Perpetua',
  '/_not-found': 'Nada – Perpetua',
};
const addresses = (kinds: ('holder' | 'institution')[]) => {
  const { actions, pages } = placesOf(TITLES, 'Perpetua', new Set(kinds));
  return { actions: actions.map(({ href }) => href), pages: pages.map(({ href }) => href) };
};

test('each role has its pages and actions, and those of everybody', () => {
  expect(addresses([])).toEqual({ actions: ['/register'], pages: ['/', '/explore', '/institute'] });
  expect(addresses(['holder'])).toEqual({
    actions: ['/me/export', '/register'],
    pages: ['/me', '/', '/explore', '/institute'],
  });
  expect(addresses(['institution']).pages).toEqual(['/institution', '/', '/explore', '/institute']);
});

test('the actions of the institute are first on its page, and elsewhere listed once something was typed', () => {
  const listed = (path: string, typed: string) =>
    roleActions(new Set(['institution']), path, typed).map(({ href }) => href.replace(/[?#].*/, ''));
  const institute = Array.from({ length: 6 }, () => '/institute');
  const own = ['/institution/key', '/institution/certification'];
  expect(listed('/institute', '')).toEqual([...institute, ...own]);
  expect(listed('/me', 'cert')).toEqual([...own, ...institute]);
  expect(listed('/me', ' ')).toEqual(own);
});

test('a page is found by the beginnings of the words of its name, without accents', () => {
  const { actions, pages } = placesOf(TITLES, 'Perpetua', new Set());
  const names = (typed: string) => matching([...actions, ...pages], typed).map(({ name }) => name);
  expect(names('INSTITUCION reg')).toEqual(['Registrar una institución']);
  expect(names('registro')).toEqual(['Explorar el registro']);
  expect(names('explore')).toEqual(['Explorar el registro']);
  expect(names('perpetua')).toEqual(['Perpetua']);
  expect(names('  ')).toHaveLength(4);
  expect(names('?!')).toEqual([]);
});
