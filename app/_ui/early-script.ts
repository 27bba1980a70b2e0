import { LANGUAGE_KEY } from '../../messages/languages.ts';

export const THEME_KEY = 'theme';
/** The storage key for whether this browser has an identity, not which one; read before the first paint. */
export const KNOWN_KEY = 'perpetua-known';

/**
 * Runs before the first paint: sets the theme, and whether an identity is stored and scripts run; opens the page in the chosen
 * language if its address names none; keeps a plain form from leaving the page without a connection. It contains no character
 * that HTML escapes.
 */
export const EARLY_SCRIPT = [
  'addEventListener(`submit`,function(event){if(!navigator.onLine)event.preventDefault()});',
  '{const root=document.documentElement;',
  'root.dataset.scripts=`on`;',
  'try{',
  `root.dataset.theme=localStorage.getItem(\`${THEME_KEY}\`)||\`\`;`,
  `root.dataset.known=localStorage.getItem(\`${KNOWN_KEY}\`)||\`\`;`,
  `const lang=localStorage.getItem(\`${LANGUAGE_KEY}\`),to=new URL(location);`,
  'if(lang)if(lang!==root.lang)if(!to.searchParams.has(`lang`)){to.searchParams.set(`lang`,lang);location.replace(to)}',
  '}catch{}}',
].join('');
