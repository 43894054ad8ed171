import { operations } from './table.ts'

/**
 * Families whose operations are declared and guarded but not served yet: they answer 501. The list may
 * only shrink, and is empty when the last family lands.
 */
const families: readonly string[] = [
  '/partner-portfolios',
  '/partner-preparation-contexts',
  '/partner-preparation-receipts',
  '/partner-preparation-status',
  '/partner-preparations',
]

const isBelow = (path: string, family: string) => `${path}/`.startsWith(`${family}/`)

export const notAvailable: ReadonlySet<string> = new Set(
  operations.filter(({ path }) => families.some((one) => isBelow(path, one))).map(({ id }) => id),
)
