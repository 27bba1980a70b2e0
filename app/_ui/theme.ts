export const THEME_KEY = 'theme';
/** The storage key that tells whether this browser has an identity, not which: it decides the first paint. */
export const KNOWN_KEY = 'perpetua-known';

/**
 * Runs before the first paint: sets the theme, and whether an identity is stored and scripts run. It contains no character
 * that HTML escapes.
 */
export const THEME_SCRIPT = `document.documentElement.dataset.scripts=\`on\`;try{document.documentElement.dataset.theme=localStorage.getItem(\`${THEME_KEY}\`)||\`\`;document.documentElement.dataset.known=localStorage.getItem(\`${KNOWN_KEY}\`)||\`\`}catch{}`;
