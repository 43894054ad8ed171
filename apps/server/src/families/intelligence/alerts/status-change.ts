/** What the event of a change is called, by the state that is asked for. */
export function changeOf(status: string | undefined): string {
  if (status === 'REVOKED') return 'revoked'
  if (status === 'PAUSED') return 'paused'
  return status === 'ACTIVE' ? 'resumed' : 'changed'
}
