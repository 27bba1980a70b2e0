export const THEME_KEY = 'theme';
/** Where it is noted that this browser knows an identity, and not which: pages then begin as somebody's own. */
export const KNOWN_KEY = 'perpetua-known';

/**
 * Runs before the first paint, so that a chosen theme never flashes, a page that is somebody's own begins as such, and what only
 * works with scripts is shown. It holds no character that HTML would escape.
 */
export const THEME_SCRIPT = `document.documentElement.dataset.scripts=\`on\`;try{document.documentElement.dataset.theme=localStorage.getItem(\`${THEME_KEY}\`)||\`\`;document.documentElement.dataset.known=localStorage.getItem(\`${KNOWN_KEY}\`)||\`\`}catch{}`;
