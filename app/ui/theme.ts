export const THEME_KEY = 'theme';

/**
 * Runs before the first paint, so that a chosen theme never flashes, and shows what only works with scripts. It holds no
 * character that HTML would escape.
 */
export const THEME_SCRIPT = `document.documentElement.dataset.scripts=\`on\`;try{document.documentElement.dataset.theme=localStorage.getItem(\`${THEME_KEY}\`)||\`\`}catch{}`;
