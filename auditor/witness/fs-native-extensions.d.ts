declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on a whole file, without waiting; false if another process has it. */
  export function tryLock(descriptor: number): boolean;
}
