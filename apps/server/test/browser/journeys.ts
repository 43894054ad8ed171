import type { Locator, Page } from 'playwright-core'

/** Counts the actions of a user: a click, a key chord, a selection, and a filled or pasted field. */
export class Actions {
  count = 0
  async click(target: Locator): Promise<void> {
    this.count += 1
    await target.click()
  }
  async fill(target: Locator, text: string): Promise<void> {
    this.count += 1
    await target.fill(text)
  }
  async select(target: Locator, value: string): Promise<void> {
    this.count += 1
    await target.selectOption(value)
  }
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

/** `SCREENSHOTS` names a folder for pictures of the pages. */
export const shot = (page: Page, name: string) =>
  process.env.SCREENSHOTS
    ? page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true })
    : null

/** The same in both sizes and themes. */
export async function shots(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return
  const before = page.viewportSize()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      // Charts are drawn anew for the width.
      await page.waitForLoadState('networkidle')
      await shot(page, `${name}-${width}-${colorScheme}`)
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
}
