import type { FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { Services } from '../../../services.ts'
import type { StudyResult } from '../../simulate/studies/api.ts'
import { requireSoundSpec, runInlineStudy } from '../../simulate/studies/api.ts'
import { type Candidate, hasTwinArm } from './candidate.ts'

/**
 * Rejects a twin that does not belong to its package.
 *
 * @throws Failure 422 LIQUIDITY_PACKAGE_TWIN_INVALID
 */
export function requireTwin(candidate: Candidate): void {
  const { spec } = candidate.twin
  const refuse = (path: string, message: string) =>
    new Failure('LIQUIDITY_PACKAGE_TWIN_INVALID', {
      fieldErrors: { [`payload.twin.spec.${path}`]: [message] },
    })
  if (!('inline' in spec.market)) {
    throw refuse('market', 'must be inline: a twin runs without a chain')
  }
  inTwin(() => requireSoundSpec(spec))
  if (!hasTwinArm(candidate)) {
    throw refuse('arms', 'must include an arm that is defined by the template at its defaults')
  }
}

/** Runs the twin in the threads of studies, within the bounds of the sandbox. */
export async function runTwin(
  services: Pick<Services, 'awaited'>,
  { twin }: Candidate,
): Promise<StudyResult> {
  try {
    return (await runInlineStudy(services.awaited, twin.spec)).result
  } catch (cause) {
    throw translateFailure(cause)
  }
}

function inTwin(work: () => void): void {
  try {
    work()
  } catch (cause) {
    throw translateFailure(cause)
  }
}

/** Maps a study rejection to an error of the twin. */
function translateFailure(cause: unknown): unknown {
  if (!(cause instanceof Failure) || cause.status !== 422) return cause
  const entries = Object.entries(cause.detail.fieldErrors ?? {}).map(
    ([path, messages]) => [path.replace(/^payload/, 'payload.twin.spec'), messages] as const,
  )
  const fieldErrors: FieldErrors =
    entries.length > 0 ? Object.fromEntries(entries) : { 'payload.twin.spec': [cause.message] }
  return new Failure('LIQUIDITY_PACKAGE_TWIN_INVALID', { fieldErrors, cause })
}
