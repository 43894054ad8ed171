import { evidenceMark } from '@liquidity-os/contract/test-networks'
import type { Answer } from './ready-answer.ts'

/**
 * Marks a response whose records name a local or test chain. The mark is a header because record
 * texts are sealed. It is computed per response, so replayed responses and old records also carry
 * it.
 */
export function withEvidenceMark(answer: Answer): Answer {
  const { status, body, headers } = answer
  if (status >= 400 || typeof body !== 'string') return answer
  const mark = evidenceMark(body)
  if (mark === null) return answer
  return { ...answer, headers: { ...headers, 'evidence-mark': mark } }
}
