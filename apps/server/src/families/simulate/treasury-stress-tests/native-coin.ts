/** The native coin of the first chain with a holding. */
export function nativeOf(assetKeys: readonly string[]): string {
  const native = assetKeys.find((key) => key.endsWith('/slip44:60'))
  const chain = assetKeys.find((key) => key.startsWith('eip155:'))?.split('/')[0]
  return native ?? `${chain ?? 'eip155:1'}/slip44:60`
}
