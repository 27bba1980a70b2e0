import { expect, test } from 'vitest';
import { matching, placesOf } from './palette-places.ts';

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
