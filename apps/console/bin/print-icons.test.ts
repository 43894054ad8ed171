// @module-tag long
// @covers apps/console/src/ui

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { printIcons } from './print-icons.ts'

// In the long tier because it installs the package of the icons.
test('the committed shapes and license are those of the pinned package', async () => {
  const printed = await printIcons()
  expect([...printed.keys()]).toEqual(['icon-shapes.ts', 'lucide.txt'])
  for (const [file, text] of printed) {
    expect(readFileSync(new URL(`../src/ui/generated/${file}`, import.meta.url), 'utf8')).toBe(text)
  }
})
