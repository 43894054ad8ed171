const TWO_PI = 6.283185307179586

/**
 * Sine and cosine of a share of a full turn: sin 2πu and cos 2πu.
 *
 * The share is reduced exactly to an eighth of a turn before π enters, so the period loses no
 * precision. Within two units in the last place of one.
 *
 * @param turn in [0, 1]
 * @see fdlibm, k_sin.c and k_cos.c (Sun Microsystems, 1993), the source of the polynomials
 */
export function sinCosOfTurn(turn: number): { sin: number; cos: number } {
  const quadrant = Math.floor(4 * turn + 0.5)
  const angle = TWO_PI * (turn - quadrant * 0.25)
  const z = angle * angle
  const s = angle + angle * z * sinePolynomial(z)
  const c = 1 - (0.5 * z - z * z * cosinePolynomial(z))
  switch (quadrant & 3) {
    case 0:
      return { sin: s, cos: c }
    case 1:
      return { sin: c, cos: -s }
    case 2:
      return { sin: -s, cos: -c }
    default:
      return { sin: -c, cos: s }
  }
}

function sinePolynomial(z: number): number {
  return (
    -0.16666666666666632 +
    z *
      (0.00833333333332249 +
        z *
          (-0.0001984126982985795 +
            z *
              (0.0000027557313707070068 + z * (-2.5050760253406863e-8 + z * 1.58969099521155e-10))))
  )
}

function cosinePolynomial(z: number): number {
  return (
    0.0416666666666666 +
    z *
      (-0.001388888888887411 +
        z *
          (0.00002480158728947673 +
            z *
              (-2.7557314351390663e-7 + z * (2.087572321298175e-9 + z * -1.1359647557788195e-11))))
  )
}
