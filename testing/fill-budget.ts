/** A choice may exceed its budget by this factor, so that an expensive part is not skipped at almost every landing. */
const tolerance = 1.5

/**
 * Takes parts in their order until the budget is full. A part that would exceed one and a half budgets is left, and cheaper
 * ones behind it may follow. The first part is taken at any cost, unless the budget is zero or less.
 */
export function fillBudget<Part extends { readonly seconds: number }>(
  parts: readonly Part[],
  budget: number,
): { chosen: Part[]; left: Part[]; seconds: number } {
  const [chosen, left]: [Part[], Part[]] = [[], []]
  let seconds = 0
  for (const part of parts) {
    const isFitting = seconds < budget && seconds + part.seconds <= tolerance * budget
    const isFirst = chosen.length === 0 && budget > 0
    if (isFitting || isFirst) {
      chosen.push(part)
      seconds += part.seconds
    } else left.push(part)
  }
  return { chosen, left, seconds }
}
