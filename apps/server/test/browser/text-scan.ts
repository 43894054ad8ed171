import type { Page } from 'playwright-core'

/** Texts for machines, which pages show only under Details and Raw. */
export const machineTexts: Readonly<Record<string, RegExp>> = {
  'a 64-digit hash': /\b(?:0x)?[0-9a-f]{64}\b/i,
  'an asset key': /eip155:/,
  'a unit of the API': /_PIPS|[a-z]Pips\b|X18|X36|atomic units/,
  'an enum': /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/,
  'a number of more than 21 digits': /(?:\d[,.]?){22,}/,
  JSON: /\{\s*"|"\s*:\s*["{[\d]/,
}

/** Texts of the main part outside Details, Raw and errors, one for each element. */
export async function shownTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate<string[]>(`(() => {
    const texts = new Map()
    const main = document.querySelector('main')
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      const hidden = 'details, pre, [hidden], [aria-hidden="true"], [role="alert"]'
      if (parent.closest(hidden)) continue
      texts.set(parent, (texts.get(parent) ?? '') + node.textContent)
    }
    return [...texts.values()]
  })()`)
  return texts.map((text) => text.trim()).filter(Boolean)
}

/** Machine texts that a page shows, as `kind: text`. */
export async function findMachineTexts(page: Page): Promise<string[]> {
  const texts = await shownTexts(page)
  return texts.flatMap((text) =>
    Object.entries(machineTexts)
      .filter(([, pattern]) => pattern.test(text))
      .map(([kind]) => `${kind}: ${text.slice(0, 120)}`),
  )
}
