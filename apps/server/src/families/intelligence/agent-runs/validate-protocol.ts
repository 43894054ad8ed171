import type { FieldErrors } from '@liquidity-os/contract'
import type { Protocol } from './records.ts'

/**
 * Contradictions within a protocol. An incompatible alternative is allowed; it remains visible in
 * the plan and the report.
 *
 * @param at path of the protocol in the request
 */
export function validateProtocol(protocol: Protocol, at: string): FieldErrors {
  const faults: FieldErrors = {}
  const { primary, secondary, alternatives, guardrails } = protocol
  for (const [itemIndex, metric] of secondary.entries()) {
    if (metric !== primary.metric) continue
    faults[`${at}.secondary.${itemIndex}`] = [`must differ from the primary metric, got ${metric}`]
  }
  for (const [place, { label, changes }] of alternatives.entries()) {
    const pointers = changes.map(({ pointer }) => pointer)
    for (const [index, pointer] of pointers.entries()) {
      const isCovered = pointers.some(
        (other, earlier) =>
          earlier !== index &&
          (pointer === other || pointer.startsWith(`${other}/`)) &&
          (pointer !== other || earlier < index),
      )
      if (!isCovered) continue
      faults[`${at}.alternatives.${place}.changes.${index}.pointer`] = [
        `must not overlap another change, got ${pointer}`,
      ]
    }
    if (alternatives.findIndex((other) => other.label === label) === place) continue
    faults[`${at}.alternatives.${place}.label`] = [`must be unique, got ${label} twice`]
  }
  for (const [place, one] of guardrails.entries()) {
    const isTwice = guardrails.some(
      (other, earlier) =>
        earlier < place &&
        other.metric === one.metric &&
        other.statistic === one.statistic &&
        other.comparator === one.comparator,
    )
    if (!isTwice) continue
    faults[`${at}.guardrails.${place}`] = [
      `must be unique, got ${one.statistic} of ${one.metric} ${one.comparator} twice`,
    ]
  }
  return faults
}
