import { ApiFailure } from '../api/send.ts'
import { ReauthenticationPrompt } from '../shell/reauthentication.tsx'
import { Button } from '../ui/button.tsx'
import { Fault, Notice } from '../ui/notice.tsx'

/** An error with its next step, if one exists: read a changed record again, or sign in again. */
export function Refused({ error, onRead }: { error: unknown; onRead: () => void }) {
  if (error instanceof ApiFailure && error.status === 412) {
    return (
      <Notice tone="warn" title="This record has a newer version">
        <p>Your input is preserved. Review the new version, then submit again.</p>
        <p>
          <Button onClick={onRead}>Load new version</Button>
        </p>
      </Notice>
    )
  }
  if (error instanceof ApiFailure && error.code === 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED') {
    return <ReauthenticationPrompt />
  }
  return <Fault error={error} />
}
