/** Event name of a change, by the requested status. */
export function changeOf(status: string | undefined): string {
  if (status === 'REVOKED') return 'revoked'
  if (status === 'PAUSED') return 'paused'
  return status === 'ACTIVE' ? 'resumed' : 'changed'
}
