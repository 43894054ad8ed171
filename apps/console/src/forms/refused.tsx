import { ApiFailure } from '../api/send.ts'
import { ShowAgain } from '../shell/show-again.tsx'
import { Button } from '../ui/button.tsx'
import { Fault, Notice } from '../ui/notice.tsx'

/** A refusal, with the next step if one exists: read a changed record again, or sign in again. */
export function Refused({ error, onRead }: { error: unknown; onRead: () => void }) {
  if (error instanceof ApiFailure && error.status === 412) {
    return (
      <Notice tone="warn" title="Somebody changed the record since you opened it">
        <p>What you typed is kept. Read theirs above, then send yours against it.</p>
        <p>
          <Button onClick={onRead}>Read it again</Button>
        </p>
      </Notice>
    )
  }
  if (error instanceof ApiFailure && error.code === 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED') {
    return <ShowAgain />
  }
  return <Fault error={error} />
}
