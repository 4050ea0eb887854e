<ColorCorrection><SOPNode><Slope>1 2 3</Slope></SOPNode></ColorCorrection>
