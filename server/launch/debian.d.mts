export function installFromDebian(name: string): boolean;
