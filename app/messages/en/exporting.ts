/** Taking everything away. */
export default { title: 'Perpetua' };
