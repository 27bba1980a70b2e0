import { hydrateRoot } from 'react-dom/client';
import { LANGUAGE_KEY } from '../../messages/languages.ts';
import { type Texts, ViewApp } from './view-app.tsx';

// The script of /view. It is built by itself, without Next, so that an old computer loads it: app/view/build.mjs.

const texts: Texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}');
const place = document.getElementById('view');
if (place) hydrateRoot(place, <ViewApp {...texts} />);

// The links to the other languages keep what follows `#`: the link that is to be opened.
const languages = document.querySelectorAll<HTMLAnchorElement>('a[data-language]');
const keepLink = () => {
  for (const link of languages) link.hash = window.location.hash;
};
// Before a click, which a new tab or a copied address does without.
keepLink();
window.addEventListener('hashchange', keepLink);

for (const link of languages)
  link.addEventListener('click', () => {
    keepLink();
    try {
      localStorage.setItem(LANGUAGE_KEY, link.dataset.language ?? '');
    } catch {
      // Without storage, the address still names the language.
    }
  });
