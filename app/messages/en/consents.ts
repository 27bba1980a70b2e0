/** Giving, seeing and withdrawing consents. */
export default { title: 'Perpetua' };
