/**
 * Skeleton of a host: two hosts with equal skeletons look alike. It removes accents (NFKD without
 * marks) and maps a fixed ASCII table. The table maps 0 to o, 1 and i to l, 5 to s, rn to m, vv to
 * w, cl to d.
 *
 * Look-alikes from other scripts do not reach this point, because `hostFault` rejects them.
 *
 * @param displayHost Unicode form, lower case
 * @see Unicode Technical Standard 39 §4, restricted to characters that hosts can contain
 */
export function skeletonOf(displayHost: string): string {
  const bare = displayHost.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return bare
    .replaceAll('0', 'o')
    .replaceAll(/[1iı]/g, 'l')
    .replaceAll('5', 's')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('cl', 'd')
}
