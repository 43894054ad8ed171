import { createElement } from 'react'
import { iconShapes } from './generated/icon-shapes.ts'

/** A decorative icon next to text; it adds no information. */
export function Icon({ name, size = 16 }: { name: string; size?: number }) {
  const shapes = iconShapes[name] ?? iconShapes['circle-dot'] ?? []
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {shapes.map(([tag, attributes]) =>
        createElement(tag, { key: JSON.stringify(attributes), ...attributes }),
      )}
    </svg>
  )
}
