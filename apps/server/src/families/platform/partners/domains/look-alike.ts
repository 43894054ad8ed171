/**
 * A host with what a reader takes for the same made equal, so that two hosts with one skeleton look alike. Accents go (NFKD
 * without marks), and of ASCII this closed table: 0 is o, 1 and i are l, 5 is s, rn is m, vv is w, cl is d.
 *
 * What is written in letters of another script that look like Latin ones never comes here: such hosts are refused as they are
 * (`hostFault`).
 *
 * @param displayHost in the letters of its own script, lower case
 * @see Unicode Technical Standard 39 §4, whose skeletons this follows for what can stand in a host
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
