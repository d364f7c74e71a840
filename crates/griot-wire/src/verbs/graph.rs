//! The graph as it is drawn, and its layout.

use griot::engine::PictureRequest;

use crate::call::Call;
use crate::failure::Outcome;
use crate::request::{Bare, source, usual};
use crate::{GraphLayout, picture};

/// Most nodes of a picture.
const NODES: usize = 200_000;
/// Most edges of a picture.
const EDGES: usize = 2_000_000;
/// Milliseconds for which a picture stays the same to clients: expiry and fading need no change.
const FRESH: i64 = 15 * 60 * 1000;

requests! {
    /// Draw the graph: nodes with a position, edges, communities.
    Graph above min_confidence as_of as_of {
        /// Only what is around these memories, entities or sources; none for the whole graph.
        around [default]: Vec<String>,
        /// Maximum number of steps from the nodes in the middle, 1 to 4.
        #[schemars(range(min = 1, max = 4))]
        depth [default = "usual::<1>"]: usize,
        /// Only nodes that come from this source: its id or origin.
        source [default]: Option<String>,
        /// One node for each community instead of its members.
        communities [default]: bool,
        /// Only members of this community.
        community [default]: Option<u32>,
        /// Maximum number of nodes; the best connected are kept, around a node the nearest.
        #[schemars(range(min = 1, max = 200000))]
        limit [default = "usual::<20000>"]: usize,
        /// Maximum number of edges; of each node the strongest are kept first.
        #[schemars(range(min = 0, max = 2000000))]
        edges [default = "usual::<60000>"]: usize,
    }
}

/// A picture that was asked for.
pub struct Asked {
    engine: griot::engine::Engine,
    request: PictureRequest,
    /// Names the picture among all of the server.
    pub tag: String,
}

impl Asked {
    pub fn new(call: &Call, q: Graph) -> Outcome<Self> {
        call.bounded("the depth", q.depth, 1, 4)?;
        call.bounded("the limit", q.limit, 1, NODES)?;
        call.bounded("the number of edges", q.edges, 0, EDGES)?;
        let engine = call.asking(q.min_confidence, q.as_of.as_deref())?;
        let fresh = engine.now().0.div_euclid(FRESH);
        let version = engine.picture_version()?;
        let limits = (engine.settings().graph.min_confidence, engine.settings().graph.dim_below);
        let request = PictureRequest {
            source: q.source.as_deref().map(|name| source(&engine, name)).transpose()?,
            around: q.around,
            depth: q.depth,
            communities: q.communities,
            community: q.community,
            limit: q.limit,
            edges: q.edges,
        };
        let parts = format!("{version} {fresh} {limits:?} {} {:?} {request:?}", call.workspace, call.scope);
        let tag = format!("W/\"{}\"", &blake3::hash(parts.as_bytes()).to_hex()[..32]);
        Ok(Self { engine, request, tag })
    }

    /// The picture in binary.
    pub fn answer(&self) -> Outcome<Vec<u8>> {
        let dim_below = self.engine.settings().graph.dim_below;
        Ok(picture::encoded(&self.engine.picture(&self.request)?, dim_below))
    }
}

/// How far the layout is.
pub fn layout(call: &Call, _: Bare) -> Outcome<GraphLayout> {
    Ok(GraphLayout::from(&call.engine.layout_state()?))
}

/// Computes the layout anew, in the background.
pub fn lay_out(call: &Call, _: Bare) -> Outcome<GraphLayout> {
    call.of_all("lay out the graph")?.start_layout()?;
    layout(call, Bare::NOTHING)
}
