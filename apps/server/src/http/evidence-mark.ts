import { evidenceMark } from '@liquidity-os/contract/test-networks'
import type { Answer } from './ready-answer.ts'

/**
 * Marks an answer of which a record names a local or test chain. The mark is a header, since the texts of records are sealed;
 * it is made anew for each answer, so replayed ones and those of old records carry it too.
 */
export function withEvidenceMark(answer: Answer): Answer {
  const { status, body, headers } = answer
  if (status >= 400 || typeof body !== 'string') return answer
  const mark = evidenceMark(body)
  if (mark === null) return answer
  return { ...answer, headers: { ...headers, 'evidence-mark': mark } }
}
